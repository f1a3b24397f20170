// Money at critical times: midnight, expiry, failures, and a price change while a call runs.
import { afterEach, expect, test } from 'vitest';
import { issueVoucher, topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { refundCall } from '../../src/gateway/wallet/credits/refund-call.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import {
  expireBalances,
  maintainLedger,
} from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectAuditsPass, openTestWallet } from './test-wallet.ts';
import {
  authorizeRequestFor,
  authorizeRequestOf,
  CNY,
  captureRequestOf,
  PRICE,
} from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openTestWallet(world, db);
afterEach(() => expectAuditsPass(world, db));

const minute = 60_000;
/** Midnight in Shanghai is 16:00 UTC. */
const midnight = Date.parse('2026-08-22T16:00:00Z');
const liveWallet = (accountId: string) => ({ accountId, livemode: true });
const readMoney = (accountId: string) => readAccountMoney(world, db, liveWallet(accountId));

async function addVoucher(accountId: string, amount: bigint, expiresAt: number): Promise<string> {
  const voucher = { ...liveWallet(accountId), amount, name: 'Voucher', expiresAt };
  const record = { reference: null, reason: null, actor: 'test' };
  return `voucher:${(await issueVoucher(world, db, { ...voucher, ...record })).voucherId}`;
}

const payCash = (accountId: string, amount: bigint, reference: string) =>
  topUp(world, db, { ...liveWallet(accountId), amount, reference, reason: null, actor: 'test' });

test('a hold from 23:59 released at 00:01 returns to the allowance of its day', async () => {
  clock.set(midnight - minute);
  const authorizeRequest = authorizeRequestOf(world, liveWallet('acct_midnight'));
  const authorized = await wallet.authorize(authorizeRequest);
  const name = 'allowance:2026-08-22';
  expect(authorized).toMatchObject({
    allocations: [{ source: 'allowance', balance: name, amount: PRICE }],
  });
  clock.set(midnight + minute);
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 502,
    code: 'upstream_error',
  });
  const { allowance, balance, quotas } = await readMoney('acct_midnight');
  expect(allowance).toEqual({
    amount: 2n * CNY,
    remaining: 2n * CNY,
    resetsAt: midnight + 24 * 60 * minute,
  });
  expect(balance).toEqual({ cash: 0n, vouchers: 0n, held: 0n, total: 0n });
  expect(quotas.day.used).toBe(0);
  // Yesterday's allowance is over and cannot be spent.
  const entries = await listTransactions(db, {
    ...liveWallet('acct_midnight'),
    before: null,
    limit: 9,
  });
  expect(entries.map(({ kind, moves }) => [kind, moves[0]?.source, moves[0]?.amount])).toEqual([
    ['allowance', 'promotions', 2n * CNY],
    ['expiry', name, 2n * CNY],
    ['allowance', 'promotions', 2n * CNY],
  ]);
});

test('a hold from before midnight is charged to its own day', async () => {
  clock.set(midnight - minute);
  const authorizeRequest = authorizeRequestOf(world, liveWallet('acct_late'));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + minute);
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 1))).toEqual({
    kind: 'captured',
  });
  const { allowance, quotas } = await readMoney('acct_late');
  expect(allowance.remaining).toBe(2n * CNY);
  expect(quotas).toMatchObject({ day: { used: 0 }, month: { used: 1 } });
});

test('a voucher that expires while it is held can still be captured', async () => {
  clock.set(midnight);
  const accountId = 'acct_held';
  const balance = await addVoucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, liveWallet(accountId));
  const authorized = await wallet.authorize(authorizeRequest);
  expect(authorized).toMatchObject({
    allocations: [
      { source: 'allowance', balance: 'allowance:2026-08-23', amount: 2n * CNY },
      { source: 'voucher', balance, amount: 100n * PRICE - 2n * CNY },
    ],
  });
  clock.set(midnight + 2 * minute);
  await expireBalances(world, db);
  expect((await readMoney(accountId)).balance).toMatchObject({ vouchers: 0n, held: 100n * PRICE });
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 100))).toEqual({
    kind: 'captured',
  });
  expect((await readMoney(accountId)).balance).toEqual({
    cash: 0n,
    vouchers: 0n,
    held: 0n,
    total: 0n,
  });
});

test('restores a voucher for one day after its expiry when the gateway failed', async () => {
  clock.set(midnight);
  const accountId = 'acct_goodwill';
  await addVoucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, liveWallet(accountId));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + 2 * minute);
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 504,
    code: 'upstream_timeout',
  });
  const { vouchers } = await readMoney(accountId);
  const amount = 100n * PRICE - 2n * CNY;
  const id = `goodwill-${authorizeRequest.requestId}`;
  const expiresAt = clock.now() + 24 * 60 * minute;
  expect(vouchers).toEqual([{ id, name: 'Goodwill', amount, remaining: amount, expiresAt }]);
});

test('restores no expired voucher when the customer’s request failed', async () => {
  clock.set(midnight);
  const accountId = 'acct_private';
  await addVoucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, liveWallet(accountId));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + 2 * minute);
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 422,
    code: 'media_unavailable',
  });
  expect((await readMoney(accountId)).vouchers).toEqual([]);
  expect((await readMoney(accountId)).allowance.remaining).toBe(2n * CNY);
});

test('spends vouchers by expiry and age, then cash, and returns money in reverse', async () => {
  clock.set(midnight);
  const accountId = 'acct_order';
  await payCash(accountId, CNY, 'pay-1');
  const laterVoucher = await addVoucher(accountId, CNY, midnight + 60 * minute);
  clock.advance(1);
  const youngerVoucher = await addVoucher(accountId, CNY, midnight + 60 * minute);
  const soonerVoucher = await addVoucher(accountId, CNY, midnight + 30 * minute);
  const authorizeRequest = authorizeRequestFor(world, 150, liveWallet(accountId));
  const authorized = await wallet.authorize(authorizeRequest);
  if (authorized.kind !== 'authorized') throw new Error(authorized.kind);
  expect(authorized.allocations.map(({ balance, amount }) => [balance, amount])).toEqual([
    ['allowance:2026-08-23', 2n * CNY],
    [soonerVoucher, CNY],
    [laterVoucher, CNY],
    [youngerVoucher, CNY],
    ['cash', 150n * PRICE - 5n * CNY],
  ]);
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 70))).toEqual({
    kind: 'captured',
  });
  const { balance, vouchers } = await readMoney(accountId);
  expect(balance.cash).toBe(CNY);
  // The call used 2.52 CNY: the allowance, and 0.52 of the voucher that expires first.
  expect(vouchers.map(({ id, remaining }) => [`voucher:${id}`, remaining])).toEqual([
    [soonerVoucher, 3n * CNY - 70n * PRICE],
    [laterVoucher, CNY],
    [youngerVoucher, CNY],
  ]);
});

test('a price change does not affect a running call', async () => {
  clock.set(midnight);
  const [oldCall, newCall] = [
    authorizeRequestOf(world, liveWallet('acct_price')),
    authorizeRequestOf(world, { ...liveWallet('acct_price'), priceVersion: 2, amount: 2n * PRICE }),
  ];
  await wallet.authorize(oldCall);
  await wallet.authorize(newCall);
  await wallet.capture(captureRequestOf(oldCall.requestId, 1));
  const captured = 2n * PRICE;
  const body = Buffer.from('{"charge":{"total":"0.072"}}');
  const usage = { unit: 'per_call', quantity: 1 };
  await wallet.capture({ ...captureRequestOf(newCall.requestId, 2), captured, usage, body });
  expect((await readMoney('acct_price')).allowance.remaining).toBe(2n * CNY - 3n * PRICE);
});

test('test mode begins each day with an allowance, a voucher of 10 CNY and 100 CNY', async () => {
  clock.set(midnight);
  const testWallet = { accountId: 'acct_test', livemode: false };
  const dayStart = {
    balance: { cash: 100n * CNY, vouchers: 10n * CNY, held: 0n, total: 110n * CNY },
    allowance: { remaining: 2n * CNY },
  };
  expect(await readAccountMoney(world, db, testWallet)).toMatchObject(dayStart);
  const authorizeRequest = authorizeRequestFor(world, 1000, testWallet);
  await wallet.authorize(authorizeRequest);
  await wallet.capture(captureRequestOf(authorizeRequest.requestId, 1000));
  expect((await readAccountMoney(world, db, testWallet)).balance.total).toBe(
    112n * CNY - 1000n * PRICE,
  );
  clock.advance(24 * 60 * minute);
  expect(await readAccountMoney(world, db, testWallet)).toMatchObject(dayStart);
  expect((await readMoney('acct_test')).balance.total).toBe(0n);
});

test('grants a day’s allowance once, also when the clock moves back', async () => {
  const accountId = 'acct_clock';
  clock.set(midnight);
  await wallet.authorize(authorizeRequestOf(world, liveWallet(accountId)));
  clock.set(midnight - minute);
  await wallet.authorize(authorizeRequestOf(world, liveWallet(accountId)));
  clock.set(midnight + minute);
  await maintainLedger(world, db);
  clock.set(midnight - minute);
  await wallet.authorize(authorizeRequestOf(world, liveWallet(accountId)));
  const entries = await listTransactions(db, { ...liveWallet(accountId), before: null, limit: 20 });
  const grantedAllowances = entries
    .filter(({ kind }) => kind === 'allowance')
    .map(({ moves }) => moves[0]?.target);
  expect(grantedAllowances.sort()).toEqual(['allowance:2026-08-22', 'allowance:2026-08-23']);
});

test('a node whose clock is behind at midnight resets no budget and no quota', async () => {
  const accountId = 'acct_skew';
  await payCash(accountId, 9n * CNY, 'pay-skew');
  const budget = { amount: 10n * PRICE, period: 'day' } as const;
  const authorizeAt = async (at: number, units: number) => {
    clock.set(at);
    const request = authorizeRequestFor(world, units, { ...liveWallet(accountId), budget });
    return (await wallet.authorize(request)).kind;
  };
  expect(await authorizeAt(midnight - 2_000, 9)).toBe('authorized');
  expect(await authorizeAt(midnight + 1_000, 6)).toBe('authorized');
  expect(await authorizeAt(midnight - 1_000, 6)).toBe('budget_exceeded');
  expect(await authorizeAt(midnight - 1_000, 3)).toBe('authorized');
  expect(await authorizeAt(midnight + 2_000, 2)).toBe('budget_exceeded');
  expect(await authorizeAt(midnight + 2_000, 1)).toBe('authorized');
  const { quotas } = await readMoney(accountId);
  expect(quotas.day.used).toBe(3);
});

test('the budget of a call’s own day limits an adjustment after midnight', async () => {
  clock.set(midnight - minute);
  const accountId = 'acct_budget_day';
  await payCash(accountId, 9n * CNY, 'pay-budget');
  const budget = { amount: 10n * PRICE, period: 'day' } as const;
  const walletOwner = { ...liveWallet(accountId), budget };
  const spent = authorizeRequestFor(world, 8, walletOwner);
  const measured = authorizeRequestFor(world, 1, walletOwner);
  for (const request of [spent, measured]) await wallet.authorize(request);
  await wallet.capture(captureRequestOf(spent.requestId, 8));
  clock.set(midnight + minute);
  const adjustTo = (units: number) =>
    wallet.adjust(measured.requestId, { quantity: units, amount: BigInt(units) * PRICE });
  expect(await adjustTo(2)).toMatchObject({ kind: 'held' });
  expect(await adjustTo(3)).toMatchObject({ kind: 'budget_exceeded', available: 2n * PRICE });

  // After a call of the new day the spending of the old day is unknown, except for the call itself.
  clock.set(midnight - minute);
  const unmeasured = authorizeRequestFor(world, 1, { ...walletOwner, keyId: 'key_two' });
  await wallet.authorize(unmeasured);
  clock.set(midnight + minute);
  const today = authorizeRequestFor(world, 4, { ...walletOwner, keyId: 'key_two' });
  await wallet.authorize(today);
  const next = { quantity: 10, amount: 10n * PRICE };
  expect(await wallet.adjust(unmeasured.requestId, next)).toMatchObject({ kind: 'held' });
  const rest = authorizeRequestFor(world, 6, { ...walletOwner, keyId: 'key_two' });
  expect((await wallet.authorize(rest)).kind).toBe('authorized');
});

test('a refund after midnight changes no allowance and no budget of the new day', async () => {
  const walletOwner = {
    ...liveWallet('acct_refund_day'),
    budget: { amount: 10n * PRICE, period: 'day' } as const,
  };
  const authorizeUnits = async (units: number) => {
    const request = authorizeRequestFor(world, units, walletOwner);
    return { ...request, kind: (await wallet.authorize(request)).kind };
  };
  clock.set(midnight - minute);
  const { requestId } = await authorizeUnits(9);
  await wallet.capture(captureRequestOf(requestId, 9));
  clock.set(midnight + minute);
  const today = await authorizeUnits(4);
  await wallet.capture(captureRequestOf(today.requestId, 4));
  const record = { reason: 'test', actor: 'test', reference: null };
  const refund = { ...walletOwner, ...record, requestId, amount: 9n * PRICE };
  expect(await refundCall(world, db, refund)).toMatchObject({ cash: 0n, voucher: 9n * PRICE });
  const { allowance, vouchers } = await readMoney(walletOwner.accountId);
  expect([allowance.remaining, vouchers.map(({ remaining }) => remaining)]).toEqual([
    2n * CNY - 4n * PRICE,
    [9n * PRICE],
  ]);
  expect((await authorizeUnits(7)).kind).toBe('budget_exceeded');
  expect((await authorizeUnits(6)).kind).toBe('authorized');
});

test('counts a repeated payment once', async () => {
  clock.set(midnight);
  const firstResult = await payCash('acct_paid', 7n * CNY, 'pay-7');
  if (firstResult.kind !== 'posted') throw new Error(firstResult.kind);
  const repeatedResult = await payCash('acct_paid', 7n * CNY, 'pay-7');
  expect(repeatedResult).toEqual({ kind: 'known', entry: firstResult.entry, amount: 7n * CNY });
  expect((await readMoney('acct_paid')).balance.cash).toBe(7n * CNY);
});
