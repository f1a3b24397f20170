// Reads balances and journal entries of a wallet.
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { toSqlTime } from './parameters.ts';

export type WalletRef = { readonly accountId: string; readonly livemode: boolean };

/** A customer's balance; amounts in micro-fen. */
export type Balance = {
  readonly name: string;
  readonly kind: 'allowance' | 'voucher' | 'cash';
  readonly label: string | null;
  readonly issued: bigint;
  readonly available: bigint;
  readonly held: bigint;
  /** Null: never. */
  readonly expiresAt: number | null;
};

/** Spendable balances and balances with holds, in spending order. */
export async function readBalances(
  db: Db,
  wallet: WalletRef,
  now: number,
): Promise<readonly Balance[]> {
  type Row = Omit<Balance, 'issued' | 'available' | 'held'> & Record<'amounts', string>;
  const { rows } = await sql<Row>`
    SELECT name, kind, label, concat_ws(' ', issued, available, held) AS amounts,
      CASE WHEN kind <> 'cash' THEN expires_at END AS "expiresAt"
    FROM books
    WHERE account_id = ${wallet.accountId} AND livemode = ${wallet.livemode}
      AND kind <> 'platform' AND (expires_at > ${toSqlTime(now)}::timestamptz OR held > 0)
    ORDER BY CASE kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END, expires_at,
      opened_at, name`.execute(sqlOf(db));
  return rows.map(({ amounts, ...balance }) => {
    const [issued = '', available = '', heldAmount = ''] = amounts.split(' ');
    return {
      ...balance,
      issued: microFen(issued),
      available: microFen(available),
      held: microFen(heldAmount),
    };
  });
}

/**
 * Numbers of calls on the wallet's last day and in its last month with calls; null: no call yet.
 */
export async function readCallCounts(
  db: Db,
  wallet: WalletRef,
): Promise<{ day: string; dayCalls: number; month: string; monthCalls: number } | null> {
  const row = await sqlOf(db)
    .selectFrom('wallets')
    .select(['day', 'day_calls as dayCalls', 'month', 'month_calls as monthCalls'])
    .where('account_id', '=', wallet.accountId)
    .where('livemode', '=', wallet.livemode)
    .executeTakeFirst();
  return row ?? null;
}

/** One journal entry with its moves. */
export type JournalEntry = {
  readonly seq: number;
  readonly kind: string;
  readonly requestId: string | null;
  readonly at: number;
  readonly moves: readonly {
    readonly source: string;
    readonly target: string;
    readonly amount: bigint;
  }[];
  readonly reference: string | null;
  readonly reason: string | null;
  readonly actor: string | null;
};

/**
 * The wallet's journal entries that belong to no call, newest first.
 *
 * The order is an expression, so that the planner cannot read the primary key backwards. The
 * planner assumes that a quarter of the entries belong to no call, but a month can have only calls.
 * With a backward scan, a short page took 0.9 s at three million calls.
 */
export async function readJournal(
  db: Db,
  wallet: WalletRef,
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly JournalEntry[]> {
  const { rows } = await sql<JournalRow>`
    SELECT ${journalColumns} FROM entries
    WHERE account_id = ${wallet.accountId} AND livemode = ${wallet.livemode}
      AND (${page.before}::bigint IS NULL OR seq < ${page.before}::bigint)
      AND kind NOT IN ('reserve', 'remeasure', 'capture', 'release')
    ORDER BY seq + 0 DESC LIMIT ${page.limit}`.execute(sqlOf(db));
  return rows.map(journalEntryOf);
}

/** Refund entries of these calls, oldest first. */
export async function readRefundEntries(
  db: Db,
  wallet: WalletRef,
  requestIds: readonly string[],
): Promise<readonly JournalEntry[]> {
  const { rows } = await sql<JournalRow>`
    SELECT ${journalColumns} FROM entries
    WHERE account_id = ${wallet.accountId} AND livemode = ${wallet.livemode}
      AND kind = 'refund' AND requests[1] = ANY (${requestIds})
    ORDER BY seq`.execute(sqlOf(db));
  return rows.map(journalEntryOf);
}

export type JournalRow = Omit<JournalEntry, 'moves'> & {
  sources: string[];
  targets: string[];
  amounts: string;
};

export const journalColumns = sql`seq, kind, requests[1] AS "requestId", at, sources, targets,
  array_to_string(amounts, ' ') AS amounts, reference, reason, actor`;

export function journalEntryOf({ sources, targets, amounts, ...entry }: JournalRow): JournalEntry {
  return {
    ...entry,
    moves: amounts.split(' ').map((amount, index) => ({
      source: sources[index] ?? '',
      target: targets[index] ?? '',
      amount: microFen(amount),
    })),
  };
}
