// Voucher codes: created by operators, shown once, redeemed exactly once.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeVoucherCode } from '../../src/gateway/wallet/credits/voucher-code-text.ts';
import {
  listVoucherBatches,
  makeVoucherBatch,
  openVoucherRedeemer,
  redeemCode,
  type VoucherBatchInput,
  withdrawVoucherBatch,
} from '../../src/gateway/wallet/credits/voucher-codes.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { expectAuditsPass } from './test-wallet.ts';

const { world, clock, logged } = testWorld();
const { db } = await openTestDatabase();
const CNY = 100_000_000n;

const makeCodes = (overrides: Partial<VoucherBatchInput> = {}) =>
  makeVoucherBatch(world, db, {
    name: 'Spring',
    amount: 10n * CNY,
    count: 3,
    daysValid: 30,
    redeemUntil: clock.now() + 7 * DAY_MS,
    onePerAccount: false,
    actor: 'test',
    ...overrides,
  });
const vouchersOf = async (accountId: string) =>
  (await readAccountMoney(world, db, { accountId, livemode: true })).vouchers;
const redeemFor = (accountId: string, input = '') => redeemCode(world, db, { accountId, input });

test('a code becomes one voucher of its name and amount', async () => {
  const { codes, id } = await makeCodes();
  const expiresAt = clock.now() + 30 * DAY_MS;
  expect(await redeemFor('a', codes[0]?.toLowerCase())).toEqual({
    kind: 'redeemed',
    name: 'Spring',
    amount: 10n * CNY,
    expiresAt,
    voucherId: expect.stringMatching(/^[0-9a-f]{24}$/),
  });
  expect(await vouchersOf('a')).toMatchObject([
    { name: 'Spring', amount: 10n * CNY, remaining: 10n * CNY, expiresAt },
  ]);
  expect(await redeemFor('a', codes[0])).toEqual({ kind: 'used_by_you' });
  expect(await redeemFor('b', codes[0])).toEqual({ kind: 'used' });
  expect(await vouchersOf('b')).toEqual([]);
  expect(await listVoucherBatches(db)).toEqual([
    {
      id,
      name: 'Spring',
      amount: 10n * CNY,
      count: 3,
      redeemed: 1,
      daysValid: 30,
      redeemUntil: TEST_NOW + 7 * DAY_MS,
      onePerAccount: false,
      madeAt: TEST_NOW,
      madeBy: 'test',
      withdrawnAt: null,
    },
  ]);
});

test('only one of thirty accounts that redeem a code concurrently succeeds', async () => {
  const { codes } = await makeCodes();
  const accounts = Array.from({ length: 30 }, (_, n) => `crowd-${n}`);
  const responses = await Promise.all(accounts.map((account) => redeemFor(account, codes[0])));
  expect(responses.filter(({ kind }) => kind === 'redeemed').length).toBe(1);
  expect(responses.filter(({ kind }) => kind === 'used').length).toBe(29);
  const vouchers = await Promise.all(accounts.map(vouchersOf));
  expect(vouchers.flat().length).toBe(1);
});

test('an account redeems all codes of a batch, or one code of a limited batch', async () => {
  const unlimitedBatch = await makeCodes({ count: 10 });
  const redemptions = await Promise.all(
    unlimitedBatch.codes.map((code) => redeemFor('greedy', code)),
  );
  expect(new Set(redemptions.map(({ kind }) => kind))).toEqual(new Set(['redeemed']));
  expect((await vouchersOf('greedy')).length).toBe(10);
  const limitedBatch = await makeCodes({ count: 10, onePerAccount: true });
  const firstRedemptions = await Promise.all(
    limitedBatch.codes.map((code) => redeemFor('modest', code)),
  );
  expect(firstRedemptions.map(({ kind }) => kind).sort()).toEqual([
    ...Array(9).fill('once_per_account'),
    'redeemed',
  ]);
  expect((await vouchersOf('modest')).length).toBe(1);
});

test('refuses expired and withdrawn codes and keeps redeemed vouchers', async () => {
  const { codes, id } = await makeCodes();
  expect((await redeemFor('early', codes[0])).kind).toBe('redeemed');
  expect(await withdrawVoucherBatch(world, db, id)).toBe(true);
  expect(await withdrawVoucherBatch(world, db, id)).toBe(false);
  expect(await redeemFor('late', codes[1])).toEqual({ kind: 'expired' });
  expect((await vouchersOf('early')).length).toBe(1);
  const expiringBatch = await makeCodes({ redeemUntil: clock.now() + 1_000 });
  clock.advance(999);
  expect((await redeemFor('c', expiringBatch.codes[0])).kind).toBe('redeemed');
  clock.advance(1);
  expect(await redeemFor('c', expiringBatch.codes[1])).toEqual({ kind: 'expired' });
});

test('distinguishes an unknown code from a mistyped one', async () => {
  expect(await redeemFor('d', makeVoucherCode(world.random))).toEqual({ kind: 'unknown' });
  expect(await redeemFor('d', 'CR-00000-00000-00000-00000')).toEqual({ kind: 'malformed' });
  expect(await redeemFor('d', "'; DROP TABLE voucher_codes; --")).toEqual({ kind: 'malformed' });
});

test('limits guesses over all nodes: ten, then one a minute', async () => {
  const { codes } = await makeCodes();
  const [redeemer, otherRedeemer] = [
    openVoucherRedeemer(world, db),
    openVoucherRedeemer(world, db),
  ];
  const guessCode = (usedRedeemer = redeemer) =>
    usedRedeemer.redeem({ accountId: 'guesser', client: '203.0.113.7', input: 'x' });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await guessCode(attempt % 2 === 0 ? redeemer : otherRedeemer)).kind).toBe('malformed');
  }
  expect(await guessCode()).toEqual({ kind: 'too_many', waitMs: 60_000 });
  const rightCode = { accountId: 'guesser', client: '203.0.113.7', input: codes[0] ?? '' };
  expect((await redeemer.redeem(rightCode)).kind).toBe('too_many');
  clock.advance(60_000);
  expect((await redeemer.redeem(rightCode)).kind).toBe('redeemed');
  const otherResults = Array.from({ length: 60 }, (_, n) =>
    redeemer.redeem({ accountId: `sybil-${n}`, client: '203.0.113.8', input: 'x' }),
  );
  const responses = (await Promise.all(otherResults)).map(({ kind }) => kind);
  expect(responses.filter((kind) => kind === 'too_many').length).toBe(20);
});

test.each([
  [{ name: ' ' }, 'A name of 1 to 100 characters is needed.'],
  [{ amount: 0n }, 'The amount must be above zero and at most 10000000 CNY.'],
  [{ amount: 2n ** 63n - 1n }, 'The amount must be above zero and at most 10000000 CNY.'],
  [{ count: 0 }, 'A batch has 1 to 10000 codes.'],
  [{ count: 1.5 }, 'A batch has 1 to 10000 codes.'],
  [{ daysValid: 0 }, 'A voucher can be spent for 1 to 3650 days.'],
  [{ redeemUntil: 0 }, 'The codes must expire in the future.'],
])('refuses a batch with %o', async (overrides, message) => {
  await expect(makeCodes(overrides)).rejects.toThrow(message);
});

test('codes exist only in the response that created them', async () => {
  const { codes } = await makeCodes({ count: 1 });
  const [code = ''] = codes;
  await redeemFor('e', code);
  for (const table of ['voucher_batches', 'voucher_codes', 'entries', 'books']) {
    const { rows } = await sql`SELECT t::text AS row FROM ${sql.table(table)} t`.execute(sqlOf(db));
    expect(rows.length).toBeGreaterThan(0);
    for (const part of [code, code.replaceAll('-', '')]) {
      expect(JSON.stringify(rows)).not.toContain(part);
    }
  }
  expect(logged.join('\n')).not.toContain(code);
});

test('the balances are correct after all tests of this file', () => expectAuditsPass(world, db));
