// Log of the inputs of capability calls, for the account's own pages. Later turns of the event
// loop serialize, redact and write them, one input a turn. No call waits for it or fails with it.
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  type CallRequestRow,
  deleteExpiredCallRequests,
  insertCallRequests,
  isRequestLogOff,
  readCallRequest,
  setRequestLogOff,
} from '../../store/gateway/call-requests.ts';
import { redactSecrets } from './redact-secrets.ts';

export type LoggedRequest = {
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  /** The input as sent, without `max_charge`. */
  readonly sent: unknown;
};

export type RequestLog = {
  record(request: LoggedRequest): void;
  /** Resolves when everything recorded so far is written. */
  close(): Promise<void>;
};

/** The same retention as responses. */
const KEPT_MS = DAY_MS;
const MAX_CHARACTERS = 100_000;
/** Beyond this many waiting requests, for example without a database, new ones are dropped. */
const WAITING_MAX = 1_000;
const ROWS_PER_STATEMENT = 100;
/** Limit of all waiting requests together. */
const WAITING_CHARACTERS_MAX = 20_000_000;

export function openRequestLog(world: World, db: Db): RequestLog {
  const waiting: WaitingRequest[] = [];
  let waitingCharacters = 0;
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (waiting.length > 0) {
      const rows: CallRequestRow[] = [];
      for (const request of waiting.splice(0, ROWS_PER_STATEMENT)) {
        await setImmediate();
        waitingCharacters -= request.characters;
        const row = rowOf(request);
        if (row !== null) rows.push(row);
      }
      if (rows.length === 0) continue;
      await insertCallRequests(db, rows).catch((error) =>
        world.log.debug({ error: messageOf(error) }, 'requests of calls were not logged'),
      );
    }
    writing = null;
  };
  return {
    record: (request) => {
      if (waiting.length >= WAITING_MAX) return;
      const characters = countCharacters(request.sent, MAX_CHARACTERS);
      if (characters > MAX_CHARACTERS) return;
      if (waitingCharacters + characters > WAITING_CHARACTERS_MAX) return;
      waitingCharacters += characters;
      waiting.push({ request, characters, keptUntil: world.clock.now() + KEPT_MS });
      writing ??= write();
    },
    close: async () => {
      await writing;
    },
  };
}

type WaitingRequest = {
  readonly request: LoggedRequest;
  readonly characters: number;
  readonly keptUntil: number;
};

/** Null: the request is too long to be kept. */
function rowOf({ request, keptUntil }: WaitingRequest): CallRequestRow | null {
  const { requestId, accountId, livemode, sent } = request;
  const original = JSON.stringify(sent);
  if (original.length > MAX_CHARACTERS) return null;
  const body = JSON.stringify(redactSecrets(sent));
  return { requestId, accountId, livemode, body, isRedacted: body !== original, keptUntil };
}

/** A lower bound of the length as JSON, without serializing; it stops above the maximum. */
function countCharacters(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let count = 2;
  for (const [name, inner] of Object.entries(value)) {
    count += (Array.isArray(value) ? 1 : name.length) + countCharacters(inner, max - count);
    if (count > max) break;
  }
  return count;
}

export type LoggedInput = { readonly body: unknown; readonly isRedacted: boolean };

/** Null: the request was not stored or is deleted. */
export async function findLoggedRequest(
  world: World,
  db: Db,
  query: Omit<LoggedRequest, 'sent'>,
): Promise<LoggedInput | null> {
  const row = await readCallRequest(db, query, world.clock.now());
  return row === null ? null : { ...row, body: JSON.parse(row.body) };
}

/** A worker runs it once a minute. */
export const forgetRequests = (world: World, db: Db): Promise<void> =>
  deleteExpiredCallRequests(db, world.clock.now());

export const isLogOff = (db: Db, accountId: string): Promise<boolean> =>
  isRequestLogOff(db, accountId);

/** Switching the log off also deletes the account's stored requests. */
export const switchRequestLog = (db: Db, accountId: string, isOff: boolean): Promise<void> =>
  setRequestLogOff(db, accountId, isOff);
