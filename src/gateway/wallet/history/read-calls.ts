// Lists the calls of an account in one mode, newest first, and reads one call with its response.

import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { WalletRef } from '../../../store/ledger/balances.ts';
import { holdParts } from '../../../store/ledger/decode-result.ts';
import {
  type CallRow,
  readCall,
  readCalls,
  readStoredResponse,
  type StoredResponse,
} from '../../../store/ledger/read-calls.ts';
import { readOnlyDb } from '../../../store/platform/db.ts';
import { replicaLagMs } from '../../../store/platform/replica.ts';
import { allocationsOf, type ChargeSplit, splitCharge } from '../ledger/allocate-capture.ts';

export type LedgerCall = {
  readonly requestId: string;
  readonly livemode: boolean;
  readonly keyId: string;
  readonly capability: string;
  /** Running: held or unknown. Ended: captured, released, or expired by recovery. */
  readonly state: CallRow['state'];
  readonly status: number | null;
  readonly code: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly idempotencyKey: string | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  /** Null while the call runs, and after a failure. */
  readonly charge: ChargeSplit | null;
};

export type CallsPage = {
  readonly calls: readonly LedgerCall[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
};

/** The age of lists, usage and revenue in milliseconds; 0 while the primary serves them. */
export const listLagMs = (db: Db): number => replicaLagMs(db);

/** Null: the cursor is not from this list. */
export async function listCalls(
  db: Db,
  query: WalletRef & {
    readonly cursor: string | null;
    readonly limit: number;
    /** True: a replica may serve the list. Otherwise the primary serves it, with all calls. */
    readonly mayLag?: true;
  },
): Promise<CallsPage | null> {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && after === null) return null;
  const source = query.mayLag ? readOnlyDb(db) : db;
  const rows = await readCalls(source, query, { after, limit: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const lastRow = page.at(-1);
  return {
    calls: page.map((row) => callOf(row, query.livemode)),
    nextCursor: rows.length > query.limit && lastRow ? cursorOf(lastRow) : null,
  };
}

export async function findCall(
  world: World,
  db: Db,
  query: WalletRef & { readonly requestId: string },
): Promise<
  (LedgerCall & { readonly response: (StoredResponse & { readonly status: number }) | null }) | null
> {
  const row = await readCall(db, query, query.requestId);
  if (row === null) return null;
  const { status } = row;
  const storedResponse =
    status === null ? null : await readStoredResponse(db, row.requestId, world.clock.now());
  const response =
    storedResponse === null || status === null ? null : { ...storedResponse, status };
  return { ...callOf(row, query.livemode), response };
}

/** The response of a finished call, while it is stored. */
export async function findStoredResponse(
  world: World,
  db: Db,
  query: WalletRef & { readonly requestId: string },
): Promise<(StoredResponse & { readonly status: number }) | null> {
  return (await findCall(world, db, query))?.response ?? null;
}

function callOf(row: CallRow, livemode: boolean): LedgerCall {
  const { requestId, keyId, capability, state, status, code, completedAt } = row;
  const allocations = allocationsOf(holdParts(row.books, row.parts));
  return {
    requestId,
    livemode,
    keyId,
    capability,
    state,
    status,
    code,
    completedAt,
    createdAt: row.openedAt,
    idempotencyKey: row.idempotencyKey,
    usage: row.usage,
    charge: row.captured === null ? null : splitCharge(allocations, row.captured),
  };
}

// A cursor contains only a position; the API key determines the account.
const cursorOf = ({ openedAt, requestId }: CallRow) =>
  Buffer.from(`${openedAt}/${requestId}`).toString('base64url');

function readCursor(text: string): { openedAt: number; requestId: string } | null {
  const decoded = Buffer.from(text, 'base64url').toString();
  const [, openedAt, requestId] = /^(\d{1,14})\/([\w-]{1,80})$/.exec(decoded) ?? [];
  if (openedAt === undefined || requestId === undefined) return null;
  return { openedAt: Number(openedAt), requestId };
}
