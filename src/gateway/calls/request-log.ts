// Logs the inputs of capability calls for the account's own pages. Later turns of the event loop
// serialize, redact and write the inputs, one input per turn. No call waits for the log, and no
// call fails when the log fails.
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
  /** The input as sent, without `max_charge` and without members that are null. */
  readonly sentInput: unknown;
};

export type RequestLog = {
  record(request: LoggedRequest): void;
  /** Resolves when all recorded requests are written. */
  close(): Promise<void>;
};

/** Responses have the same retention. */
const RETENTION_MS = DAY_MS;
const MAX_CHARACTERS = 100_000;
/**
 * Above this number of waiting requests, for example without a database, new requests are dropped.
 */
const MAX_WAITING = 1_000;
const ROWS_PER_STATEMENT = 100;
/** Limit of all waiting requests together. */
const MAX_WAITING_CHARACTERS = 20_000_000;

export function openRequestLog(world: World, db: Db): RequestLog {
  const waitingRequests: WaitingRequest[] = [];
  let waitingCharacters = 0;
  let pendingWrite: Promise<void> | null = null;
  const writeWaiting = async () => {
    while (waitingRequests.length > 0) {
      const rows: CallRequestRow[] = [];
      for (const request of waitingRequests.splice(0, ROWS_PER_STATEMENT)) {
        await setImmediate();
        waitingCharacters -= request.characters;
        const row = toRow(request);
        if (row !== null) rows.push(row);
      }
      if (rows.length === 0) continue;
      await insertCallRequests(db, rows).catch((error) =>
        world.log.debug({ error: messageOf(error) }, 'requests of calls were not logged'),
      );
    }
    pendingWrite = null;
  };
  return {
    record: (request) => {
      if (waitingRequests.length >= MAX_WAITING) return;
      const characters = countCharacters(request.sentInput, MAX_CHARACTERS);
      if (characters > MAX_CHARACTERS) return;
      if (waitingCharacters + characters > MAX_WAITING_CHARACTERS) return;
      waitingCharacters += characters;
      waitingRequests.push({ request, characters, keptUntil: world.clock.now() + RETENTION_MS });
      pendingWrite ??= writeWaiting();
    },
    close: async () => {
      await pendingWrite;
    },
  };
}

type WaitingRequest = {
  readonly request: LoggedRequest;
  readonly characters: number;
  readonly keptUntil: number;
};

/** Null: the request is too long to be kept. */
function toRow({ request, keptUntil }: WaitingRequest): CallRequestRow | null {
  const { requestId, accountId, livemode, sentInput } = request;
  const original = JSON.stringify(sentInput);
  if (original.length > MAX_CHARACTERS) return null;
  const body = JSON.stringify(redactSecrets(sentInput));
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

/** Null: the request was not stored, or was deleted. */
export async function findLoggedRequest(
  world: World,
  db: Db,
  query: Omit<LoggedRequest, 'sentInput'>,
): Promise<LoggedInput | null> {
  const row = await readCallRequest(db, query, world.clock.now());
  return row === null ? null : { ...row, body: JSON.parse(row.body) };
}

/** A worker calls this function once a minute. */
export const deleteExpiredRequests = (world: World, db: Db): Promise<void> =>
  deleteExpiredCallRequests(db, world.clock.now());

export const isLogOff = (db: Db, accountId: string): Promise<boolean> =>
  isRequestLogOff(db, accountId);

/** Switching the log off also deletes the account's stored requests. */
export const setRequestLog = (db: Db, accountId: string, isOff: boolean): Promise<void> =>
  setRequestLogOff(db, accountId, isOff);
