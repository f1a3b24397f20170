// Critical times for money: midnight, expiry, failure, and calls from before a price change.
import { afterEach, expect, test } from 'vitest';
import { issueVoucher, topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import {
  expireBalances,
  maintainLedger,
} from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectAuditsHold, openTestWallet } from './test-wallet.ts';
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
afterEach(() => expectAuditsHold(world, db));

const minute = 60_000;
/** Midnight in Shanghai is 16:00 UTC. */
const midnight = Date.parse('2026-08-22T16:00:00Z');
const live = (accountId: string) => ({ accountId, livemode: true });
const money = (accountId: string) => readAccountMoney(world, db, live(accountId));

async function voucher(accountId: string, amount: bigint, expiresAt: number): Promise<string> {
  const voucher = { ...live(accountId), amount, name: 'Voucher', expiresAt };
  const record = { reference: null, reason: null, actor: 'test' };
  return `voucher:${(await issueVoucher(world, db, { ...voucher, ...record })).voucherId}`;
}

const pay = (accountId: string, amount: bigint, reference: string) =>
  topUp(world, db, { ...live(accountId), amount, reference, reason: null, actor: 'test' });

test('a hold from 23:59 that is released at 00:01 returns to its own day', async () => {
  clock.set(midnight - minute);
  const authorizeRequest = authorizeRequestOf(world, live('acct_midnight'));
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
  const { allowance, balance, quotas } = await money('acct_midnight');
  expect(allowance).toEqual({
    amount: 2n * CNY,
    remaining: 2n * CNY,
    resetsAt: midnight + 24 * 60 * minute,
  });
  expect(balance).toEqual({ cash: 0n, vouchers: 0n, held: 0n, total: 0n });
  expect(quotas.day.used).toBe(0);
  // Yesterday's allowance is over and cannot be spent.
  const entries = await listTransactions(db, { ...live('acct_midnight'), before: null, limit: 9 });
  expect(entries.map(({ kind, moves }) => [kind, moves[0]?.source, moves[0]?.amount])).toEqual([
    ['allowance', 'promotions', 2n * CNY],
    ['expiry', name, 2n * CNY],
    ['allowance', 'promotions', 2n * CNY],
  ]);
});

test('a hold from before midnight is charged to its own day', async () => {
  clock.set(midnight - minute);
  const authorizeRequest = authorizeRequestOf(world, live('acct_late'));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + minute);
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 1))).toEqual({
    kind: 'settled',
  });
  const { allowance, quotas } = await money('acct_late');
  expect(allowance.remaining).toBe(2n * CNY);
  expect(quotas).toMatchObject({ day: { used: 0 }, month: { used: 1 } });
});

test('a voucher that expires while it is held can still be captured', async () => {
  clock.set(midnight);
  const accountId = 'acct_held';
  const balance = await voucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, live(accountId));
  const authorized = await wallet.authorize(authorizeRequest);
  expect(authorized).toMatchObject({
    allocations: [
      { source: 'allowance', balance: 'allowance:2026-08-23', amount: 2n * CNY },
      { source: 'voucher', balance, amount: 100n * PRICE - 2n * CNY },
    ],
  });
  clock.set(midnight + 2 * minute);
  await expireBalances(world, db);
  expect((await money(accountId)).balance).toMatchObject({ vouchers: 0n, held: 100n * PRICE });
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 100))).toEqual({
    kind: 'settled',
  });
  expect((await money(accountId)).balance).toEqual({ cash: 0n, vouchers: 0n, held: 0n, total: 0n });
});

test('restores a voucher for one day after its expiry when the gateway failed', async () => {
  clock.set(midnight);
  const accountId = 'acct_goodwill';
  await voucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, live(accountId));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + 2 * minute);
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 504,
    code: 'upstream_timeout',
  });
  const { vouchers } = await money(accountId);
  const amount = 100n * PRICE - 2n * CNY;
  const id = `goodwill-${authorizeRequest.requestId}`;
  const expiresAt = clock.now() + 24 * 60 * minute;
  expect(vouchers).toEqual([{ id, name: 'Goodwill', amount, remaining: amount, expiresAt }]);
});

test('restores no expired voucher when the customer’s request failed', async () => {
  clock.set(midnight);
  const accountId = 'acct_private';
  await voucher(accountId, 5n * CNY, midnight + minute);
  const authorizeRequest = authorizeRequestFor(world, 100, live(accountId));
  await wallet.authorize(authorizeRequest);
  clock.set(midnight + 2 * minute);
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 422,
    code: 'media_unavailable',
  });
  expect((await money(accountId)).vouchers).toEqual([]);
  expect((await money(accountId)).allowance.remaining).toBe(2n * CNY);
});

test('spends vouchers by expiry and age, then cash; the rest returns in reverse', async () => {
  clock.set(midnight);
  const accountId = 'acct_order';
  await pay(accountId, CNY, 'pay-1');
  const later = await voucher(accountId, CNY, midnight + 60 * minute);
  clock.advance(1);
  const younger = await voucher(accountId, CNY, midnight + 60 * minute);
  const sooner = await voucher(accountId, CNY, midnight + 30 * minute);
  const authorizeRequest = authorizeRequestFor(world, 150, live(accountId));
  const authorized = await wallet.authorize(authorizeRequest);
  if (authorized.kind !== 'authorized') throw new Error(authorized.kind);
  expect(authorized.allocations.map(({ balance, amount }) => [balance, amount])).toEqual([
    ['allowance:2026-08-23', 2n * CNY],
    [sooner, CNY],
    [later, CNY],
    [younger, CNY],
    ['cash', 150n * PRICE - 5n * CNY],
  ]);
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 70))).toEqual({
    kind: 'settled',
  });
  const { balance, vouchers } = await money(accountId);
  expect(balance.cash).toBe(CNY);
  // 2.52 CNY were used: the allowance, and 0.52 of the voucher that ends first.
  expect(vouchers.map(({ id, remaining }) => [`voucher:${id}`, remaining])).toEqual([
    [sooner, 3n * CNY - 70n * PRICE],
    [later, CNY],
    [younger, CNY],
  ]);
});

test('a price change does not affect a running call', async () => {
  clock.set(midnight);
  const [old, largeCall] = [
    authorizeRequestOf(world, live('acct_price')),
    authorizeRequestOf(world, { ...live('acct_price'), priceVersion: 2, amount: 2n * PRICE }),
  ];
  await wallet.authorize(old);
  await wallet.authorize(largeCall);
  await wallet.capture(captureRequestOf(old.requestId, 1));
  const captured = 2n * PRICE;
  const body = Buffer.from('{"charge":{"total":"0.072"}}');
  const usage = { unit: 'per_call', quantity: 1 };
  await wallet.capture({ ...captureRequestOf(largeCall.requestId, 2), captured, usage, body });
  expect((await money('acct_price')).allowance.remaining).toBe(2n * CNY - 3n * PRICE);
});

test('test mode begins each day with an allowance, a voucher of 10 CNY and 100 CNY', async () => {
  clock.set(midnight);
  const test = { accountId: 'acct_test', livemode: false };
  const begins = {
    balance: { cash: 100n * CNY, vouchers: 10n * CNY, held: 0n, total: 110n * CNY },
    allowance: { remaining: 2n * CNY },
  };
  expect(await readAccountMoney(world, db, test)).toMatchObject(begins);
  const authorizeRequest = authorizeRequestFor(world, 1000, test);
  await wallet.authorize(authorizeRequest);
  await wallet.capture(captureRequestOf(authorizeRequest.requestId, 1000));
  expect((await readAccountMoney(world, db, test)).balance.total).toBe(112n * CNY - 1000n * PRICE);
  clock.advance(24 * 60 * minute);
  expect(await readAccountMoney(world, db, test)).toMatchObject(begins);
  expect((await money('acct_test')).balance.total).toBe(0n);
});

test('grants a day’s allowance once, also when the clock moves back', async () => {
  const accountId = 'acct_clock';
  clock.set(midnight);
  await wallet.authorize(authorizeRequestOf(world, live(accountId)));
  clock.set(midnight - minute);
  await wallet.authorize(authorizeRequestOf(world, live(accountId)));
  clock.set(midnight + minute);
  await maintainLedger(world, db);
  clock.set(midnight - minute);
  await wallet.authorize(authorizeRequestOf(world, live(accountId)));
  const entries = await listTransactions(db, { ...live(accountId), before: null, limit: 20 });
  const voucher = entries
    .filter(({ kind }) => kind === 'allowance')
    .map(({ moves }) => moves[0]?.target);
  expect(voucher.sort()).toEqual(['allowance:2026-08-22', 'allowance:2026-08-23']);
});

test('counts one payment once', async () => {
  clock.set(midnight);
  const first = await pay('acct_paid', 7n * CNY, 'pay-7');
  if (first.kind !== 'posted') throw new Error(first.kind);
  const repeat = await pay('acct_paid', 7n * CNY, 'pay-7');
  expect(repeat).toEqual({ kind: 'known', entry: first.entry, amount: 7n * CNY });
  expect((await money('acct_paid')).balance.cash).toBe(7n * CNY);
});
