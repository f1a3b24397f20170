// Group commit with duplicate, uncovered and invalid requests, and the guarantees of a wallet about
// keys, quotas and budgets.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { findCall, listCalls } from '../../src/gateway/wallet/history/read-calls.ts';
import { readWalletUsage } from '../../src/gateway/wallet/history/read-usage.ts';
import type { AuthorizeRequest, AuthorizeResult } from '../../src/gateway/wallet/ledger/wallet.ts';
import { openLedgerConnection } from '../../src/store/ledger/connection.ts';
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
afterAll(() => expectAuditsPass(world, db));

const dayEnds = Date.parse('2026-08-22T16:00:00Z');
const monthEnds = Date.parse('2026-08-31T16:00:00Z');
const idempotencyOf = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });
const liveWallet = (accountId: string) => ({ accountId, livemode: true });
const kinds = (outcomes: readonly AuthorizeResult[]) => outcomes.map(({ kind }) => kind);
const authorizeAll = (requests: readonly AuthorizeRequest[]) =>
  Promise.all(requests.map((request) => wallet.authorize(request)));

test('a thousand parallel authorizations with one key make one hold and one charge', async () => {
  const authorizeRequests = Array.from({ length: 1_000 }, () =>
    authorizeRequestOf(world, { ...liveWallet('acct_same'), ...idempotencyOf('same') }),
  );
  const responses = await authorizeAll(authorizeRequests);
  const [first] = authorizeRequests.filter((_, index) => responses[index]?.kind === 'authorized');
  if (first === undefined) throw new Error('no call was authorized');
  expect(responses.filter(({ kind }) => kind !== 'authorized')).toEqual(
    Array.from({ length: 999 }, () => ({ kind: 'in_progress', requestId: first.requestId })),
  );
  await wallet.capture(captureRequestOf(first.requestId, 1));
  const { allowance, quotas } = await readAccountMoney(world, db, liveWallet('acct_same'));
  expect(allowance.remaining).toBe(2n * CNY - PRICE);
  expect(quotas.day.used).toBe(1);
});

test('reports a key that two different requests of one batch use', async () => {
  const [first, second] = await authorizeAll([
    authorizeRequestOf(world, { ...liveWallet('acct_twin'), ...idempotencyOf('k', 'one') }),
    authorizeRequestOf(world, { ...liveWallet('acct_twin'), ...idempotencyOf('k', 'another') }),
  ]);
  expect(kinds([first as AuthorizeResult, second as AuthorizeResult])).toEqual([
    'authorized',
    'reused',
  ]);
});

test('a request that the balance does not cover frees its key for a duplicate', async () => {
  const largeRequest = authorizeRequestFor(world, 100, {
    ...liveWallet('acct_poor'),
    ...idempotencyOf('k'),
  });
  const smallRequest = authorizeRequestFor(world, 1, {
    ...liveWallet('acct_poor'),
    ...idempotencyOf('k'),
  });
  // The first call forms its own batch; the other calls form one batch.
  const [, ...results] = await authorizeAll([
    authorizeRequestOf(world, liveWallet('acct_other')),
    largeRequest,
    smallRequest,
  ]);
  expect(results[0]).toEqual({
    kind: 'insufficient',
    required: 100n * PRICE,
    available: 2n * CNY,
    resetsAt: dayEnds,
  });
  expect(results[1]).toMatchObject({ kind: 'authorized' });
  const query = { ...liveWallet('acct_poor'), key: 'k', fingerprint: 'f' };
  expect(await wallet.findIdempotencyKey(query)).toEqual({
    kind: 'in_progress',
    requestId: smallRequest.requestId,
  });
});

test('smaller requests succeed after a large refused one', async () => {
  const units = [40, 30, 15, 10, 1];
  const walletOwner = liveWallet('acct_fit');
  const responses = await authorizeAll([
    authorizeRequestOf(world, liveWallet('acct_other')),
    ...units.map((count) => authorizeRequestFor(world, count, walletOwner)),
  ]);
  // 55 units are 1.98 of 2 CNY.
  expect(kinds(responses.slice(1))).toEqual([
    'authorized',
    'insufficient',
    'authorized',
    'insufficient',
    'insufficient',
  ]);
});

test('one invalid request does not fail its batch', async () => {
  const firstCall = authorizeRequestOf(world, liveWallet('acct_faulty'));
  await wallet.authorize(firstCall);
  const validRequests = Array.from({ length: 5 }, () =>
    authorizeRequestOf(world, liveWallet('acct_faulty')),
  );
  const [, invalidResult, ...results] = await Promise.allSettled([
    wallet.authorize(authorizeRequestOf(world, liveWallet('acct_other'))),
    // Half a call is not an integer, so the database refuses the whole statement.
    wallet.authorize({ ...authorizeRequestOf(world, liveWallet('acct_faulty')), quantity: 0.5 }),
    ...validRequests.map((request) => wallet.authorize(request)),
  ]);
  expect(invalidResult?.status).toBe('rejected');
  expect(results.map(({ status }) => status)).toEqual(validRequests.map(() => 'fulfilled'));
  expect(
    (await listCalls(db, { ...liveWallet('acct_faulty'), cursor: null, limit: 50 }))?.calls.length,
  ).toBe(6);
});

test('refuses a capture above the hold and completes the other captures of the batch', async () => {
  const [first, second] = [
    authorizeRequestOf(world, liveWallet('acct_over')),
    authorizeRequestOf(world, liveWallet('acct_over')),
  ];
  await authorizeAll([first, second]);
  const [, uncoveredResult, coveredResult] = await Promise.allSettled([
    wallet.authorize(authorizeRequestOf(world, liveWallet('acct_other'))),
    wallet.capture(captureRequestOf(first.requestId, 2)),
    wallet.capture(captureRequestOf(second.requestId, 1)),
  ]);
  expect(uncoveredResult?.status).toBe('rejected');
  expect(coveredResult).toEqual({ status: 'fulfilled', value: { kind: 'captured' } });
  await wallet.release({
    requestId: first.requestId,
    status: 503,
    code: 'temporarily_unavailable',
  });
});

test('the key of a finished call returns the call; a failed call frees its key', async () => {
  const walletOwner = liveWallet('acct_keys');
  const finishedCall = authorizeRequestOf(world, { ...walletOwner, ...idempotencyOf('done') });
  const failedCall = authorizeRequestOf(world, { ...walletOwner, ...idempotencyOf('failed') });
  await authorizeAll([finishedCall, failedCall]);
  await wallet.capture(captureRequestOf(finishedCall.requestId, 1));
  await wallet.release({ requestId: failedCall.requestId, status: 502, code: 'upstream_error' });
  const duplicate = {
    kind: 'duplicate',
    original: { requestId: finishedCall.requestId, status: 200, completedAt: TEST_NOW },
  };
  const findKey = (key: string, fingerprint: string) =>
    wallet.findIdempotencyKey({ ...walletOwner, key, fingerprint });
  expect(await findKey('done', 'f')).toEqual(duplicate);
  expect(
    await wallet.authorize(authorizeRequestOf(world, { ...walletOwner, ...idempotencyOf('done') })),
  ).toEqual(duplicate);
  expect(await findKey('done', 'g')).toEqual({
    kind: 'reused',
    requestId: finishedCall.requestId,
  });
  expect(await findKey('failed', 'g')).toBeNull();
  expect(
    (
      await wallet.authorize(
        authorizeRequestOf(world, { ...walletOwner, ...idempotencyOf('failed', 'g') }),
      )
    ).kind,
  ).toBe('authorized');
  expect(
    await wallet.findIdempotencyKey({
      ...walletOwner,
      livemode: false,
      key: 'done',
      fingerprint: 'f',
    }),
  ).toBeNull();
});

test('a hold ends once: an equal repetition succeeds, and a different end is refused', async () => {
  const authorizeRequest = authorizeRequestOf(world, liveWallet('acct_once'));
  await wallet.authorize(authorizeRequest);
  const captureRequest = captureRequestOf(authorizeRequest.requestId, 1);
  expect(await wallet.capture(captureRequest)).toEqual({ kind: 'captured' });
  expect(await wallet.capture(captureRequest)).toEqual({ kind: 'captured' });
  expect(await wallet.capture({ ...captureRequest, body: Buffer.from('{}') })).toEqual({
    kind: 'lost',
  });
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 502,
    code: 'upstream_error',
  });
  const call = await findCall(world, db, {
    ...liveWallet('acct_once'),
    requestId: authorizeRequest.requestId,
  });
  expect(call).toEqual({
    requestId: authorizeRequest.requestId,
    livemode: true,
    keyId: 'key_one',
    capability: 'ocr',
    state: 'captured',
    status: 200,
    code: null,
    createdAt: TEST_NOW,
    completedAt: TEST_NOW,
    idempotencyKey: null,
    usage: captureRequest.usage,
    charge: { total: PRICE, freeQuota: PRICE, voucher: 0n, cash: 0n },
    response: { status: 200, contentType: captureRequest.contentType, body: captureRequest.body },
  });
});

test('quotas count started and free calls, but not released or refused calls', async () => {
  const smallQuota = { ...liveWallet('acct_quota'), quotas: { day: 3, month: 4 } };
  const freeCall = { ...smallQuota, sku: null, amount: 0n };
  const first = authorizeRequestOf(world, smallQuota);
  const responses = await authorizeAll([
    first,
    ...[freeCall, smallQuota, smallQuota].map((input) => authorizeRequestOf(world, input)),
  ]);
  expect(kinds(responses)).toEqual(['authorized', 'authorized', 'authorized', 'quota_exceeded']);
  expect(responses[3]).toEqual({
    kind: 'quota_exceeded',
    quota: 'day',
    resetsAt: dayEnds,
    quotas: { day: { used: 3, resetsAt: dayEnds }, month: { used: 3, resetsAt: monthEnds } },
  });
  await wallet.release({ requestId: first.requestId, status: 502, code: 'upstream_error' });
  expect((await wallet.authorize(authorizeRequestOf(world, smallQuota))).kind).toBe('authorized');
  expect(
    await wallet.authorize(
      authorizeRequestOf(world, { ...smallQuota, quotas: { day: 9, month: 3 } }),
    ),
  ).toMatchObject({
    kind: 'quota_exceeded',
    quota: 'month',
    resetsAt: monthEnds,
  });
});

test('a key’s budget counts holds and charges, but not returned money', async () => {
  const budget = { amount: 5n * PRICE, period: 'day' } as const;
  const walletOwner = { ...liveWallet('acct_budget'), budget };
  const first = authorizeRequestFor(world, 3, walletOwner);
  expect((await wallet.authorize(first)).kind).toBe('authorized');
  expect(await wallet.authorize(authorizeRequestFor(world, 3, walletOwner))).toEqual({
    kind: 'budget_exceeded',
    required: 3n * PRICE,
    available: 2n * PRICE,
    resetsAt: dayEnds,
  });
  // Another key has its own budget. A total budget never restarts.
  const otherKey = { budget: { amount: PRICE, period: 'total' } as const, keyId: 'key_two' };
  expect(
    (await wallet.authorize(authorizeRequestFor(world, 1, { ...walletOwner, ...otherKey }))).kind,
  ).toBe('authorized');
  expect(
    await wallet.authorize(authorizeRequestFor(world, 1, { ...walletOwner, ...otherKey })),
  ).toMatchObject({
    kind: 'budget_exceeded',
    available: 0n,
    resetsAt: null,
  });
  await wallet.capture(captureRequestOf(first.requestId, 1));
  expect((await wallet.authorize(authorizeRequestFor(world, 4, walletOwner))).kind).toBe(
    'authorized',
  );
});

test('adjusts a hold to the measured price, up or down, or releases it', async () => {
  const walletOwner = liveWallet('acct_measure');
  const record = { reference: null, reason: 'test', actor: 'test' };
  await creditAccount(world, db, { ...walletOwner, ...record, amount: CNY });
  const allowance = { source: 'allowance', balance: 'allowance:2026-08-22' };
  const authorizeRequest = authorizeRequestFor(world, 50, {
    ...walletOwner,
    ...idempotencyOf('m'),
    maxCharge: 80n * PRICE,
  });
  await wallet.authorize(authorizeRequest);
  const adjustTo = (units: number) =>
    wallet.adjust(authorizeRequest.requestId, { quantity: units, amount: BigInt(units) * PRICE });
  expect(await adjustTo(60)).toEqual({
    kind: 'held',
    allocations: [
      { ...allowance, amount: 2n * CNY },
      { source: 'cash', balance: 'cash', amount: 60n * PRICE - 2n * CNY },
    ],
  });
  expect(await adjustTo(20)).toEqual({
    kind: 'held',
    allocations: [{ ...allowance, amount: 20n * PRICE }],
  });
  const tooLargeResult = { kind: 'insufficient', required: 81n * PRICE, resetsAt: dayEnds };
  expect(await adjustTo(81)).toEqual({ ...tooLargeResult, available: 80n * PRICE });
  expect((await readAccountMoney(world, db, walletOwner)).balance.held).toBe(0n);
  expect(
    await wallet.findIdempotencyKey({ ...walletOwner, key: 'm', fingerprint: 'f' }),
  ).toBeNull();
  await expect(adjustTo(1)).rejects.toMatchObject({ code: 'temporarily_unavailable' });

  const uncoveredCall = authorizeRequestFor(world, 1, walletOwner);
  await wallet.authorize(uncoveredCall);
  const largeAdjustment = { quantity: 100, amount: 100n * PRICE };
  expect(await wallet.adjust(uncoveredCall.requestId, largeAdjustment)).toEqual({
    kind: 'insufficient',
    required: 100n * PRICE,
    available: 3n * CNY,
    resetsAt: dayEnds,
  });
});

test('lists calls by page, and counts them by day, capability and key', async () => {
  const walletOwner = liveWallet('acct_read');
  // Calls authorized in one batch have the same instant and are ordered by id.
  const authorizeRequests = [1, 2, 3, 90].map((count) => {
    clock.advance(1);
    return authorizeRequestFor(world, count, { ...walletOwner, keyId: `key_${count % 2}` });
  });
  const responses = await authorizeAll(authorizeRequests);
  expect(kinds(responses)).toEqual(['authorized', 'authorized', 'authorized', 'insufficient']);
  const [firstCall, secondCall, thirdCall] = authorizeRequests as [
    AuthorizeRequest,
    AuthorizeRequest,
    AuthorizeRequest,
  ];
  await wallet.capture(captureRequestOf(firstCall.requestId, 1));
  await wallet.capture(captureRequestOf(secondCall.requestId, 1));
  await wallet.release({ requestId: thirdCall.requestId, status: 422, code: 'media_unavailable' });
  const firstPage = await listCalls(db, { ...walletOwner, cursor: null, limit: 2 });
  const nextPage = await listCalls(db, {
    ...walletOwner,
    cursor: firstPage?.nextCursor ?? '',
    limit: 2,
  });
  const listedCalls = [...(firstPage?.calls ?? []), ...(nextPage?.calls ?? [])];
  expect(
    listedCalls.map(({ requestId, state, charge }) => [requestId, state, charge?.total]),
  ).toEqual([
    [thirdCall.requestId, 'released', undefined],
    [secondCall.requestId, 'captured', PRICE],
    [firstCall.requestId, 'captured', PRICE],
  ]);
  expect(nextPage?.nextCursor).toBeNull();
  expect(await listCalls(db, { ...walletOwner, cursor: 'no cursor', limit: 2 })).toBeNull();
  const range = { ...walletOwner, from: '2026-08-22', to: '2026-08-22' };
  const charge = (chargeTotal: bigint) => ({
    total: chargeTotal,
    freeQuota: chargeTotal,
    voucher: 0n,
    cash: 0n,
  });
  expect(await readWalletUsage(db, { ...range, groupBy: 'key' })).toEqual([
    { group: 'key_0', calls: 1, succeeded: 1, charge: charge(PRICE) },
    { group: 'key_1', calls: 2, succeeded: 1, charge: charge(PRICE) },
  ]);
  expect(await readWalletUsage(db, { ...range, groupBy: 'day' })).toEqual([
    { group: '2026-08-22', calls: 3, succeeded: 2, charge: charge(2n * PRICE) },
  ]);
  expect(
    await readWalletUsage(db, {
      ...range,
      to: '2026-08-21',
      from: '2026-08-01',
      groupBy: 'day',
    }),
  ).toEqual([]);
});

test('reopens a lost connection, and no request has two effects', async () => {
  const cutConnections = () =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'radar ledger' AND datname = current_database()`.execute(sqlOf(db));
  const authorizeRequests = Array.from({ length: 40 }, () =>
    authorizeRequestOf(world, liveWallet('acct_cut')),
  );
  const responses: AuthorizeResult[] = [];
  for (const authorizeRequest of authorizeRequests) {
    const [authorization] = await Promise.all([
      wallet.authorize(authorizeRequest),
      responses.length % 5 === 0 ? cutConnections() : null,
    ]);
    responses.push(authorization);
  }
  expect(new Set(kinds(responses))).toEqual(new Set(['authorized']));
  const { balance, allowance } = await readAccountMoney(world, db, liveWallet('acct_cut'));
  expect(balance.held).toBe(40n * PRICE);
  expect(allowance.remaining).toBe(2n * CNY - 40n * PRICE);
});

test('a commit waits for the disk, also when the database has synchronous_commit off', async () => {
  const levels: string[] = [];
  for (const level of ['off', 'local', 'on', 'remote_apply']) {
    const levelStatement = `ALTER DATABASE %I SET synchronous_commit = ${level}`;
    const body = `BEGIN EXECUTE format('${levelStatement}', current_database()); END`;
    await sql`DO ${sql.lit(body)}`.execute(sqlOf(db));
    const connection = openLedgerConnection(world.log, db);
    const response = await connection.execute(
      { name: 'level', text: `SELECT current_setting('synchronous_commit')` },
      [],
    );
    levels.push(response.kind === 'result' ? response.text : response.error);
    await connection.close();
  }
  expect(levels).toEqual(['on', 'local', 'on', 'remote_apply']);
});
