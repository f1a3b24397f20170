// Calls of one wallet and key use uniform statements. These authorize from the first balance of the
// wallet and capture with the hold cache of the process. These statements charge the same balances
// and amounts as the general path.
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { issueVoucher, topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import type { AuthorizeRequest, AuthorizeResult } from '../../src/gateway/wallet/ledger/wallet.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
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

const hour = 3_600_000;
const todaysAllowance = 'allowance:2026-08-22';
const liveWallet = (accountId: string) => ({ accountId, livemode: true });
const record = { reason: null, actor: 'test' };
const payCash = (accountId: string, amount: bigint) =>
  topUp(world, db, { ...liveWallet(accountId), ...record, amount, reference: `pay-${accountId}` });

async function addVoucher(accountId: string, amount: bigint, expiresAt: number): Promise<string> {
  const voucherInput = { ...liveWallet(accountId), ...record, amount, name: 'Voucher', expiresAt };
  const voucher = await issueVoucher(world, db, { ...voucherInput, reference: null });
  return `voucher:${voucher.voucherId}`;
}

const allocationsOf = (result: AuthorizeResult) =>
  result.kind === 'authorized'
    ? Object.fromEntries(result.allocations.map(({ balance, amount }) => [balance, amount / PRICE]))
    : result;

/** Authorizes one call in a separate batch. */
async function authorizeOne(
  accountId: string,
  units: number,
  options: Partial<AuthorizeRequest> = {},
) {
  const authorizeRequest = authorizeRequestFor(world, units, {
    ...liveWallet(accountId),
    ...options,
  });
  return {
    requestId: authorizeRequest.requestId,
    result: await wallet.authorize(authorizeRequest),
  };
}

/**
 * Spends the allowance of an account, so that its wallet stores cash as the first balance. Returns
 * the id of the call that spent the allowance.
 */
async function spendAllowance(accountId: string): Promise<string> {
  const { requestId } = await authorizeOne(accountId, 55);
  const remaining = 2n * CNY - 55n * PRICE;
  await payCash(accountId, 100n * CNY + PRICE - remaining);
  await authorizeOne(accountId, 1);
  expect(allocationsOf((await authorizeOne(accountId, 1)).result)).toEqual({ cash: 1n });
  return requestId;
}

test('spends balances in one order, whenever they were credited', async () => {
  const firstHold = await spendAllowance('acct_first');
  const voucherId = await addVoucher('acct_first', PRICE, clock.now() + hour);
  expect(allocationsOf((await authorizeOne('acct_first', 1)).result)).toEqual({ [voucherId]: 1n });
  expect(allocationsOf((await authorizeOne('acct_first', 1)).result)).toEqual({ cash: 1n });
  await wallet.release({ requestId: firstHold, status: 422, code: 'invalid_request' });
  const returnedCall = await authorizeOne('acct_first', 54);
  expect(allocationsOf(returnedCall.result)).toEqual({ [todaysAllowance]: 54n });
  expect(allocationsOf((await authorizeOne('acct_first', 3)).result)).toEqual({
    [todaysAllowance]: 1n,
    cash: 2n,
  });
  expect(allocationsOf((await authorizeOne('acct_first', 1)).result)).toEqual({ cash: 1n });
  // The unused part of a hold is released, first in a batch of one call and then in a larger batch.
  await wallet.capture(captureRequestOf(returnedCall.requestId, 50));
  const repeatedCalls = [await authorizeOne('acct_first', 2), await authorizeOne('acct_first', 2)];
  expect(repeatedCalls.map(({ result }) => allocationsOf(result))).toEqual([
    { [todaysAllowance]: 2n },
    { [todaysAllowance]: 2n },
  ]);
  expect(allocationsOf((await authorizeOne('acct_first', 1)).result)).toEqual({ cash: 1n });
  const otherCall = await authorizeOne('acct_first', 5);
  await Promise.all(
    [otherCall, ...repeatedCalls].map(({ requestId }) =>
      wallet.capture(captureRequestOf(requestId, 1)),
    ),
  );
  expect(allocationsOf((await authorizeOne('acct_first', 2)).result)).toEqual({
    [todaysAllowance]: 2n,
  });
  expect(allocationsOf((await authorizeOne('acct_first', 1)).result)).toEqual({ cash: 1n });
});

test('a smaller measured quantity returns money to the first balance', async () => {
  const measuredHold = await spendAllowance('acct_measure');
  const adjustment = { quantity: 50, amount: 50n * PRICE };
  expect(await wallet.adjust(measuredHold, adjustment)).toMatchObject({ kind: 'held' });
  expect(allocationsOf((await authorizeOne('acct_measure', 5)).result)).toEqual({
    [todaysAllowance]: 5n,
  });
  await wallet.capture(captureRequestOf(measuredHold, 50));
  expect((await readAccountMoney(world, db, liveWallet('acct_measure'))).allowance.remaining).toBe(
    0n,
  );
});

test('a node with a slow clock first spends the voucher that it considers valid', async () => {
  await spendAllowance('acct_clock');
  const voucherId = await addVoucher('acct_clock', 9n * PRICE, clock.now() + hour);
  clock.advance(2 * hour);
  expect(allocationsOf((await authorizeOne('acct_clock', 1)).result)).toEqual({ cash: 1n });
  expect(allocationsOf((await authorizeOne('acct_clock', 1)).result)).toEqual({ cash: 1n });
  clock.set(TEST_NOW);
  expect(allocationsOf((await authorizeOne('acct_clock', 1)).result)).toEqual({ [voucherId]: 1n });
});

test('enforces budgets and quotas of a single caller', async () => {
  await spendAllowance('acct_limits');
  const budget = { amount: 59n * PRICE, period: 'month' } as const;
  // 57 units were spent before this test.
  expect((await authorizeOne('acct_limits', 1, { budget })).result.kind).toBe('authorized');
  expect((await authorizeOne('acct_limits', 2, { budget })).result).toMatchObject({
    kind: 'budget_exceeded',
    required: 2n * PRICE,
    available: PRICE,
  });
  expect((await authorizeOne('acct_limits', 1, { budget })).result.kind).toBe('authorized');
  const { result } = await authorizeOne('acct_limits', 1, { quotas: { day: 5, month: 9 } });
  expect(result).toMatchObject({ kind: 'quota_exceeded', quotas: { day: { used: 5 } } });
});

test('an unused part of a hold does not count against its key', async () => {
  await spendAllowance('acct_key');
  const largeCall = await authorizeOne('acct_key', 100, { keyId: 'key_two' });
  const otherCalls = [
    await authorizeOne('acct_key', 10, { keyId: 'key_two' }),
    await authorizeOne('acct_key', 10),
  ];
  await wallet.capture(captureRequestOf(largeCall.requestId, 1));
  const [first, second] = otherCalls.map(({ requestId }) => captureRequestOf(requestId, 4));
  if (first && second) await Promise.all([wallet.capture(first), wallet.capture(second)]);
  const readSpent = async (keyId: string) => {
    const { rows } = await sql<Record<'day' | 'month' | 'total', string>>`
      SELECT day_spent::text AS day, month_spent::text AS month, total_spent::text AS total
      FROM key_spending WHERE account_id = 'acct_key' AND key_id = ${keyId}`.execute(sqlOf(db));
    return rows.map((row) => Object.values(row).map((amount) => BigInt(amount) / PRICE));
  };
  expect(await readSpent('key_two')).toEqual([[5n, 5n, 5n]]);
  expect(await readSpent('key_one')).toEqual([[61n, 61n, 61n]]);
});

test('one key on two nodes at the same time gives one hold and in_progress', async () => {
  await spendAllowance('acct_two');
  const otherWallet = await openTestWallet(world, db);
  for (let round = 0; round < 20; round += 1) {
    const idempotency = { key: `both-${round}`, fingerprint: 'f' };
    const authorizeRequests = [0, 1].map(() =>
      authorizeRequestOf(world, { ...liveWallet('acct_two'), idempotency }),
    );
    const [first, second] = authorizeRequests;
    if (first === undefined || second === undefined) throw new Error('fewer than two requests');
    const responses = await Promise.all([wallet.authorize(first), otherWallet.authorize(second)]);
    const authorizedRequest = responses[0]?.kind === 'authorized' ? first : second;
    expect(responses.find(({ kind }) => kind !== 'authorized')).toEqual({
      kind: 'in_progress',
      requestId: authorizedRequest.requestId,
    });
  }
  const { balance, quotas } = await readAccountMoney(world, db, liveWallet('acct_two'));
  expect([quotas.day.used, balance.held]).toEqual([3 + 20, (57n + 20n) * PRICE]);
});

test('a batch authorizes its other requests when another node used one of its keys', async () => {
  await spendAllowance('acct_batch');
  const otherWallet = await openTestWallet(world, db);
  const keys = ['NULL', '{"a\\",b}', '', '幂等 键', '\u{1f4b0}'];
  const authorizeRequests = keys.map((key) => {
    return authorizeRequestOf(world, {
      ...liveWallet('acct_batch'),
      idempotency: { key, fingerprint: key },
    });
  });
  const [, usedRequest] = authorizeRequests;
  if (usedRequest === undefined) throw new Error('no request has a key');
  const first = authorizeRequestOf(world, {
    ...liveWallet('acct_batch'),
    idempotency: usedRequest.idempotency,
  });
  await otherWallet.authorize(first);
  const authorized = await Promise.all(
    authorizeRequests.map((authorizeRequest) => wallet.authorize(authorizeRequest)),
  );
  const inProgress = { kind: 'in_progress', requestId: first.requestId };
  expect(authorized.map(allocationsOf)).toEqual(
    keys.map((_, round) => (round === 1 ? inProgress : { cash: 1n })),
  );
  const { rows } = await sql<{ key: string }>`
    SELECT idempotency_key AS key FROM calls WHERE account_id = 'acct_batch'
      AND idempotency_key = fingerprint`.execute(sqlOf(db));
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(keys));
});

test('uniform batches use the fast statements only', async () => {
  await spendAllowance('acct_quick');
  const firstCall = await authorizeOne('acct_quick', 9);
  await wallet.capture(captureRequestOf(firstCall.requestId, 9));
  const breakFunction = (name: string) => sql.raw(`ALTER FUNCTION ${name} RENAME TO ${name}_away`);
  const restoreFunction = (name: string) =>
    sql.raw(`ALTER FUNCTION ${name}_away RENAME TO ${name}`);
  const generalFunctions = ['ledger_open', 'ledger_resolve'];
  for (const name of generalFunctions) await breakFunction(name).execute(sqlOf(db));
  const [first, second] = [
    await authorizeOne('acct_quick', 9),
    await authorizeOne('acct_quick', 9),
  ];
  expect(await wallet.capture(captureRequestOf(first.requestId, 9))).toEqual({ kind: 'captured' });
  expect(await wallet.capture(captureRequestOf(second.requestId, 3))).toEqual({ kind: 'captured' });
  const mixedRequests = [1, 2, 3, 4].map((units) =>
    authorizeRequestFor(world, units, liveWallet('acct_quick')),
  );
  await Promise.all(mixedRequests.map((authorizeRequest) => wallet.authorize(authorizeRequest)));
  const capturedResults = await Promise.all(
    mixedRequests.map(({ requestId }, round) =>
      wallet.capture(captureRequestOf(requestId, round < 2 ? round + 1 : 1)),
    ),
  );
  expect(new Set(capturedResults.map(({ kind }) => kind))).toEqual(new Set(['captured']));
  for (const name of generalFunctions) await restoreFunction(name).execute(sqlOf(db));
});
