// Log of the inputs of capability calls, for the account's own pages. It is written after the hold
// and beside the call, so no call waits for it or fails with it.
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

export function openRequestLog(world: World, db: Db): RequestLog {
  const waiting: CallRequestRow[] = [];
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (waiting.length > 0) {
      await insertCallRequests(db, waiting.splice(0, ROWS_PER_STATEMENT)).catch((error) =>
        world.log.debug({ error: messageOf(error) }, 'requests of calls were not logged'),
      );
    }
    writing = null;
  };
  return {
    record: ({ requestId, accountId, livemode, sent }) => {
      if (waiting.length >= WAITING_MAX) return;
      const original = JSON.stringify(sent);
      if (original.length > MAX_CHARACTERS) return;
      const body = JSON.stringify(redactSecrets(sent));
      const keptUntil = world.clock.now() + KEPT_MS;
      const isRedacted = body !== original;
      waiting.push({ requestId, accountId, livemode, body, isRedacted, keptUntil });
      writing ??= write();
    },
    close: async () => {
      await writing;
    },
  };
}

export type KeptRequest = { readonly body: unknown; readonly isRedacted: boolean };

/** Null: the request was not stored or is deleted. */
export async function findKeptRequest(
  world: World,
  db: Db,
  query: Omit<LoggedRequest, 'sent'>,
): Promise<KeptRequest | null> {
  const row = await readCallRequest(db, query, world.clock.now());
  return row === null ? null : { ...row, body: JSON.parse(row.body) };
}

/** A worker runs it once a minute. */
export const forgetRequests = (world: World, db: Db): Promise<void> =>
  deleteExpiredCallRequests(db, world.clock.now());

export const isLogOff = (db: Db, accountId: string): Promise<boolean> =>
  isRequestLogOff(db, accountId);

/** Switching the log off also deletes the account's kept requests. */
export const switchRequestLog = (db: Db, accountId: string, isOff: boolean): Promise<void> =>
  setRequestLogOff(db, accountId, isOff);
