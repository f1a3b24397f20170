// Reads the statement of a wallet, newest first, in pages by cursor. It lists a call in place of
// the call's journal entries, with an explanation of the price.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { JournalEntry, WalletRef } from '../../../store/ledger/balances.ts';
import { readStoredResponse } from '../../../store/ledger/read-calls.ts';
import {
  type CallFilter,
  readBalanceLabels,
  readWalletCall,
  readWalletCalls,
  readWalletEntries,
  type WalletCall,
} from '../../../store/ledger/wallet-history.ts';
import type { ChargeSplit } from '../ledger/allocate-capture.ts';
import { chargeSplitOf, explainPrice, type PriceExplanation } from './explain-price.ts';

export type { CallFilter, JournalEntry as Entry };

/** The call with its price explanation. */
export type ExplainedCall = Omit<WalletCall, 'books' | 'parts' | 'captured'> & {
  readonly outcome: 'succeeded' | 'failed' | 'running';
  readonly charge: ChargeSplit | null;
  readonly price: PriceExplanation;
};

export type StatementLine =
  | { readonly kind: 'call'; readonly at: number; readonly call: ExplainedCall }
  | { readonly kind: 'entry'; readonly at: number; readonly entry: JournalEntry };

export type StatementPage<T> = {
  readonly lines: readonly T[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
};

export type StatementQuery = {
  readonly cursor: string | null;
  readonly limit: number;
  /** `calls`: only calls; `money`: only entries outside of calls. */
  readonly only?: 'calls' | 'money' | undefined;
};

/** Null: the cursor is not from this list. */
export async function readStatement(
  db: Db,
  wallet: WalletRef,
  { cursor, limit, only }: StatementQuery,
): Promise<StatementPage<StatementLine> | null> {
  const position = cursor === null ? null : readCursor(cursor);
  if (cursor !== null && position === null) return null;
  const [calls, entries] = await Promise.all([
    only === 'money' ? [] : readWalletCalls(db, wallet, callsAfter(position), limit + 1),
    only === 'calls' ? [] : readWalletEntries(db, wallet, entriesAfter(position), limit + 1),
  ]);
  const lines: StatementLine[] = [
    ...calls.map((call) => ({ kind: 'call', at: call.openedAt, call: explainCall(call) }) as const),
    ...entries.map((entry) => ({ kind: 'entry', at: entry.at, entry }) as const),
  ];
  // At the same instant calls precede entries. The cursors rely on this order.
  const sortOrder = { call: 0, entry: 1 } as const;
  lines.sort((a, b) => b.at - a.at || sortOrder[a.kind] - sortOrder[b.kind]);
  const page = lines.slice(0, limit);
  const lastLine = page.at(-1);
  return { lines: page, nextCursor: lines.length > limit && lastLine ? cursorOf(lastLine) : null };
}

type StatementCursor = {
  readonly at: number;
  readonly kind: 'call' | 'entry';
  readonly id: string;
};

function callsAfter(position: StatementCursor | null): CallFilter {
  if (position === null) return { isPriced: true };
  const isEntry = position.kind === 'entry';
  // All calls of that instant precede the entry of the cursor. The list continues with smaller ids,
  // and no id is smaller than the empty id, so these calls are skipped.
  const requestId = isEntry ? '' : position.id;
  return { isPriced: true, after: { at: position.at, requestId } };
}

function entriesAfter(position: StatementCursor | null) {
  if (position === null) return {};
  return {
    after: { at: position.at, seq: position.kind === 'entry' ? Number(position.id) : null },
  };
}

/** Filtered calls, newest first. Null: the cursor is not from this list. */
export async function listExplainedCalls(
  db: Db,
  wallet: WalletRef,
  query: { readonly filter: CallFilter; readonly cursor: string | null; readonly limit: number },
): Promise<StatementPage<ExplainedCall> | null> {
  const position = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && position?.kind !== 'call') return null;
  const after = position && { after: { at: position.at, requestId: position.id } };
  const calls = await readWalletCalls(db, wallet, { ...query.filter, ...after }, query.limit + 1);
  const page = calls.slice(0, query.limit);
  const lastLine = page.at(-1);
  const hasMore = calls.length > query.limit && lastLine !== undefined;
  return {
    lines: page.map(explainCall),
    nextCursor: hasMore
      ? cursorOf({ kind: 'call', at: lastLine.openedAt, call: { requestId: lastLine.requestId } })
      : null,
  };
}

export type StoredBody = { readonly contentType: string; readonly body: Buffer };

/** A call, with its response for 24 hours; null: the wallet has no such call. */
export async function findExplainedCall(
  world: World,
  db: Db,
  wallet: WalletRef,
  requestId: string,
): Promise<{ readonly call: ExplainedCall; readonly response: StoredBody | null } | null> {
  const call = await readWalletCall(db, wallet, requestId);
  if (call === null) return null;
  const response =
    call.status === null ? null : await readStoredResponse(db, requestId, world.clock.now());
  return { call: explainCall(call), response };
}

/** Voucher names by balance, expired vouchers included. */
export async function readVoucherNames(
  db: Db,
  wallet: WalletRef,
  balances: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const voucherBalances = [
    ...new Set(balances.filter((balance) => balance.startsWith('voucher:'))),
  ];
  const labels = await readBalanceLabels(db, wallet, voucherBalances);
  return new Map([...labels].map(([name, { label }]) => [name, label ?? name]));
}

function explainCall(row: WalletCall): ExplainedCall {
  const { books: _books, parts: _parts, captured: _captured, ...call } = row;
  const isOver = row.state !== 'held' && row.state !== 'unknown';
  return {
    ...call,
    outcome: row.state === 'captured' ? 'succeeded' : isOver ? 'failed' : 'running',
    charge: chargeSplitOf(row),
    price: explainPrice(row, isOver),
  };
}

// A cursor contains only a position; the session determines the account.
type CursorLine =
  | { readonly kind: 'call'; readonly at: number; readonly call: { readonly requestId: string } }
  | { readonly kind: 'entry'; readonly at: number; readonly entry: { readonly seq: number } };

function cursorOf(position: CursorLine): string {
  const id = position.kind === 'call' ? position.call.requestId : String(position.entry.seq);
  return Buffer.from(`${position.kind}/${position.at}/${id}`).toString('base64url');
}

function readCursor(text: string): StatementCursor | null {
  const decoded = Buffer.from(text, 'base64url').toString();
  const [, call, callAt, requestId] = /^(call)\/(\d{1,14})\/([\w-]{1,80})$/.exec(decoded) ?? [];
  if (call !== undefined) return { kind: 'call', at: Number(callAt), id: requestId ?? '' };
  const [, entry, at, seq] = /^(entry)\/(\d{1,14})\/(\d{1,15})$/.exec(decoded) ?? [];
  return entry === undefined ? null : { kind: 'entry', at: Number(at), id: seq ?? '' };
}
