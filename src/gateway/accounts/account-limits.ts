// Reads and changes the limits that an operator sets for one account: calls per day and month, and
// the request rate of its keys. These limits replace the installation's.
import type { Db } from '../../kernel/ports/db.ts';
import { findAccountRow, lockAccount, updateAccount } from '../../store/gateway/accounts.ts';
import { type KeyRate, readKeyRates, writeKeyRate } from '../../store/gateway/key-rates.ts';

export type { KeyRate } from '../../store/gateway/key-rates.ts';

/** Null: the installation's limit. */
export type AccountLimits = {
  readonly callsPerDay: number | null;
  readonly callsPerMonth: number | null;
  /** Request rate of keys without a limit of their own. */
  readonly rate: KeyRate | null;
};

/** The values that an operator can set. */
export const limitRanges = {
  calls: { min: 0, max: 1_000_000_000 },
  perSecond: { min: 1, max: 10_000 },
  burst: { min: 1, max: 1_000_000 },
} as const;

/** The limits as text. Two equal texts mean that no limit changed after a form was loaded. */
export const formatLimits = (limits: AccountLimits): string => JSON.stringify(limits);

/** Null: the account does not exist. */
export async function findAccountLimits(db: Db, accountId: string): Promise<AccountLimits | null> {
  const row = await findAccountRow(db, accountId);
  if (row === null || row.id !== accountId) return null;
  const rate = (await readKeyRates(db, [accountId])).get(accountId) ?? null;
  return { callsPerDay: row.calls_per_day, callsPerMonth: row.calls_per_month, rate };
}

export type LimitsChangeResult =
  | { readonly kind: 'changed'; readonly before: AccountLimits }
  /** The limits changed after the operator loaded the form. */
  | { readonly kind: 'conflict'; readonly current: AccountLimits }
  | { readonly kind: 'unknown' };

/**
 * Runs in the caller's transaction. The change takes effect on every node within a second.
 * `expectedLimits`: the text of the limits when the operator's form was loaded.
 */
export async function changeAccountLimits(
  tx: Db,
  accountId: string,
  { expectedLimits, next }: { readonly expectedLimits: string; readonly next: AccountLimits },
): Promise<LimitsChangeResult> {
  if (!(await lockAccount(tx, accountId))) return { kind: 'unknown' };
  const current = await findAccountLimits(tx, accountId);
  if (current === null) return { kind: 'unknown' };
  if (formatLimits(current) !== expectedLimits) return { kind: 'conflict', current };
  const { callsPerDay, callsPerMonth, rate } = next;
  const calls = { calls_per_day: callsPerDay, calls_per_month: callsPerMonth };
  await updateAccount(tx, accountId, calls);
  await writeKeyRate(tx, accountId, rate);
  return { kind: 'changed', before: current };
}

/** Limits of single keys; keys without a limit of their own are absent. */
export async function readRatesOfKeys(
  db: Db,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyRate>> {
  return readKeyRates(db, keyIds);
}

/**
 * Runs in the caller's transaction and locks the account until the transaction ends. `rate` null:
 * the account's rate applies.
 */
export async function setKeyRate(
  tx: Db,
  key: { readonly id: string; readonly accountId: string },
  rate: KeyRate | null,
): Promise<void> {
  await lockAccount(tx, key.accountId);
  await writeKeyRate(tx, key.id, rate);
}
