// Reads the statement of one month: balance at the beginning and the end, entries, and charges by
// capability. All sums are exact: entries come from the journal, charges from the sums of calls.

import type { Db } from '../../../kernel/ports/db.ts';
import { isDay, shanghaiDay, shanghaiMonth } from '../../../kernel/time/calendar.ts';
import type { JournalEntry, WalletRef } from '../../../store/ledger/balances.ts';
import { readWalletEntries, sumEntries } from '../../../store/ledger/wallet-history.ts';
import { readWalletUsage, type WalletUsage } from './read-usage.ts';

/**
 * Amounts in micro-fen. Balances, entries and charges are cash and vouchers, without the allowance.
 * Only `usage` includes the allowance.
 */
export type MonthStatement = {
  /** Epoch milliseconds; the end is excluded. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly openingBalance: bigint;
  /** Entries outside of calls that changed the sum of cash and vouchers, oldest first. */
  readonly entries: readonly { readonly entry: JournalEntry; readonly net: bigint }[];
  /** Net amount of all such entries, including those beyond the limit of `entries`. */
  readonly added: bigint;
  readonly usage: readonly WalletUsage[];
  readonly charged: bigint;
  readonly closingBalance: bigint;
};

const FIRST_DAY = '1970-01-01';
const LISTED_MAX = 2_000;

/** `month`: `2026-11`. Null: the text is not a month, or the month has not begun. */
export function monthAt(
  month: string,
  now: number,
): { readonly startsAt: number; readonly endsAt: number } | null {
  if (!isDay(`${month}-01`)) return null;
  // The 15th is in the same month in every time zone.
  const { startsAt, endsAt } = shanghaiMonth(Date.parse(`${month}-15T00:00:00Z`));
  return startsAt > now ? null : { startsAt, endsAt };
}

export async function readMonth(
  db: Db,
  wallet: WalletRef,
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
): Promise<MonthStatement> {
  const dayOf = (at: number) => shanghaiDay(at).day;
  const range = { from: dayOf(startsAt), to: dayOf(endsAt - 1) };
  const earlierDays = { from: FIRST_DAY, to: dayOf(startsAt - 1) };
  const query = { ...wallet, groupBy: 'capability' } as const;
  const [netBefore, added, listedEntries, usage, usageBefore] = await Promise.all([
    sumEntries(db, wallet, { until: startsAt }),
    sumEntries(db, wallet, { since: startsAt, until: endsAt }),
    readWalletEntries(db, wallet, { since: startsAt, until: endsAt }, LISTED_MAX),
    readWalletUsage(db, { ...query, ...range }),
    readWalletUsage(db, { ...query, ...earlierDays }),
  ]);
  const openingBalance = netBefore - chargesIn(usageBefore);
  const charged = chargesIn(usage);
  const entries = listedEntries.map((entry) => ({ entry, net: netOf(entry) })).reverse();
  return {
    startsAt,
    endsAt,
    openingBalance,
    entries: entries.filter(({ net }) => net !== 0n),
    added,
    usage,
    charged,
    closingBalance: openingBalance + added - charged,
  };
}

const chargesIn = (usage: readonly WalletUsage[]): bigint =>
  usage.reduce((sum, { charge }) => sum + charge.voucher + charge.cash, 0n);

const isCashOrVoucher = (balance: string) => balance === 'cash' || balance.startsWith('voucher:');

/** Amount that an entry added to cash and vouchers. */
const netOf = ({ moves }: JournalEntry): bigint =>
  moves.reduce(
    (sum, { source, target, amount }) =>
      sum + (isCashOrVoucher(target) ? amount : 0n) - (isCashOrVoucher(source) ? amount : 0n),
    0n,
  );
