// Reads the money of an account in one mode: balances, vouchers, today's allowance, and the calls
// of the day and the month.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { findAccountRow } from '../../../store/gateway/accounts.ts';
import {
  type Balance,
  readBalances,
  readCallCounts,
  type WalletRef,
} from '../../../store/ledger/balances.ts';
import type { BatchTime } from '../../../store/ledger/parameters.ts';
import { startDay } from '../../../store/ledger/transfers.ts';
import { batchTimeAt, quotaUseOf } from '../ledger/batch-time.ts';
import type { QuotaUse } from '../ledger/wallet.ts';

export type Voucher = {
  readonly id: string;
  readonly name: string;
  readonly amount: MicroFen;
  readonly remaining: MicroFen;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
};

export type AccountMoney = {
  /** Money without the allowance. `total`: the spendable amount, which is cash and vouchers. */
  readonly balance: {
    readonly cash: MicroFen;
    readonly vouchers: MicroFen;
    /** Held for running calls, from any source. */
    readonly held: MicroFen;
    readonly total: MicroFen;
  };
  /** In spending order. */
  readonly vouchers: readonly Voucher[];
  readonly allowance: {
    readonly amount: MicroFen;
    readonly remaining: MicroFen;
    readonly resetsAt: number;
  };
  readonly quotas: QuotaUse;
};

/** Starts the day of a wallet without calls today, so that the day's allowance is visible. */
export async function readAccountMoney(
  world: World,
  db: Db,
  wallet: WalletRef,
): Promise<AccountMoney> {
  const batchTime = batchTimeAt(world.clock.now());
  const account = wallet.livemode ? await findAccountRow(db, wallet.accountId) : null;
  if (account?.awaits_verification) {
    // The allowance begins once the account's address is confirmed.
    const money = await readStoredAccountMoney(world, db, wallet);
    return { ...money, allowance: { ...money.allowance, amount: 0n, remaining: 0n } };
  }
  let balances = await readBalances(db, wallet, batchTime.now);
  if (allowanceOfDay(balances, batchTime) === undefined) {
    // Before the first call of the day, the day's allowance has no balance yet.
    await startDay(db, batchTime, wallet);
    balances = await readBalances(db, wallet, batchTime.now);
  }
  return moneyOf(db, wallet, batchTime, balances);
}

/** Does not start the wallet's day. The allowance of a day that has not started is 0. */
export async function readStoredAccountMoney(
  world: World,
  db: Db,
  wallet: WalletRef,
): Promise<AccountMoney> {
  const batchTime = batchTimeAt(world.clock.now());
  return moneyOf(db, wallet, batchTime, await readBalances(db, wallet, batchTime.now));
}

const allowanceOfDay = (balances: readonly Balance[], { day }: BatchTime) =>
  balances.find(({ name }) => name === `allowance:${day}`);

async function moneyOf(
  db: Db,
  wallet: WalletRef,
  batchTime: BatchTime,
  balances: readonly Balance[],
): Promise<AccountMoney> {
  const sumBalances = (pick: (balance: Balance) => bigint) =>
    balances.reduce((total, balance) => total + pick(balance), 0n);
  const isUnexpired = ({ expiresAt }: Balance) => expiresAt === null || expiresAt > batchTime.now;
  const remainingOf = (kind: Balance['kind']) =>
    sumBalances((balance) =>
      balance.kind === kind && isUnexpired(balance) ? balance.available : 0n,
    );
  const [cash, vouchers] = [remainingOf('cash'), remainingOf('voucher')];
  const todaysAllowance = allowanceOfDay(balances, batchTime);
  const counters = await readCallCounts(db, wallet);
  return {
    balance: { cash, vouchers, held: sumBalances(({ held }) => held), total: cash + vouchers },
    vouchers: balances
      .filter((balance) => balance.kind === 'voucher' && isUnexpired(balance))
      .map(voucherOf),
    allowance: {
      // 0 on a day on which the cap on allowances is reached.
      amount: todaysAllowance?.issued ?? 0n,
      remaining: todaysAllowance?.available ?? 0n,
      resetsAt: batchTime.dayEndsAt,
    },
    quotas: quotaUseOf(
      batchTime,
      counters?.day === batchTime.day ? counters.dayCalls : 0,
      counters?.month === batchTime.month ? counters.monthCalls : 0,
    ),
  };
}

function voucherOf({ name, label, issued, available, expiresAt }: Balance): Voucher {
  const id = name.slice('voucher:'.length);
  return { id, name: label ?? id, amount: issued, remaining: available, expiresAt };
}
