// Special cases of group commit, and the promises of a wallet about keys, quotas and budgets.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { findCall, listCalls } from '../../src/gateway/wallet/history/read-calls.ts';
import { usageOf } from '../../src/gateway/wallet/history/read-usage.ts';
import type { AuthorizeRequest, AuthorizeResult } from '../../src/gateway/wallet/ledger/wallet.ts';
import { openLedgerConnection } from '../../src/store/ledger/connection.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
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
afterAll(() => expectAuditsHold(world, db));

const dayEnds = Date.parse('2026-08-22T16:00:00Z');
const monthEnds = Date.parse('2026-08-31T16:00:00Z');
const claim = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });
const live = (accountId: string) => ({ accountId, livemode: true });
const kinds = (all: readonly AuthorizeResult[]) => all.map(({ kind }) => kind);
const openAll = (all: readonly AuthorizeRequest[]) =>
  Promise.all(all.map((request) => wallet.authorize(request)));

test('a thousand parallel authorizations with one key make one hold and one charge', async () => {
  const authorizeRequests = Array.from({ length: 1_000 }, () =>
    authorizeRequestOf(world, { ...live('acct_same'), ...claim('same') }),
  );
  const responses = await openAll(authorizeRequests);
  const [first] = authorizeRequests.filter((_, n) => responses[n]?.kind === 'authorized');
  if (first === undefined) throw new Error('nothing was opened');
  expect(responses.filter(({ kind }) => kind !== 'authorized')).toEqual(
    Array.from({ length: 999 }, () => ({ kind: 'in_progress', requestId: first.requestId })),
  );
  await wallet.capture(captureRequestOf(first.requestId, 1));
  const { allowance, quotas } = await readAccountMoney(world, db, live('acct_same'));
  expect(allowance.remaining).toBe(2n * CNY - PRICE);
  expect(quotas.day.used).toBe(1);
});

test('reports in one batch the same key with another request', async () => {
  const [first, second] = await openAll([
    authorizeRequestOf(world, { ...live('acct_twin'), ...claim('k', 'one') }),
    authorizeRequestOf(world, { ...live('acct_twin'), ...claim('k', 'another') }),
  ]);
  expect(kinds([first as AuthorizeResult, second as AuthorizeResult])).toEqual([
    'authorized',
    'reused',
  ]);
});

test('a request without cover frees its key for a duplicate', async () => {
  const largeRequest = authorizeRequestFor(world, 100, { ...live('acct_poor'), ...claim('k') });
  const smallRequest = authorizeRequestFor(world, 1, { ...live('acct_poor'), ...claim('k') });
  // The first call is a batch of its own; the others form one batch.
  const [, ...results] = await openAll([
    authorizeRequestOf(world, live('acct_other')),
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
  const query = { ...live('acct_poor'), key: 'k', fingerprint: 'f' };
  expect(await wallet.findIdempotencyKey(query)).toEqual({
    kind: 'in_progress',
    requestId: smallRequest.requestId,
  });
});

test('smaller requests succeed after a large refused one', async () => {
  const units = [40, 30, 15, 10, 1];
  const wallet = live('acct_fit');
  const responses = await openAll([
    authorizeRequestOf(world, live('acct_other')),
    ...units.map((count) => authorizeRequestFor(world, count, wallet)),
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
  const claimedCall = authorizeRequestOf(world, live('acct_faulty'));
  await wallet.authorize(claimedCall);
  const good = Array.from({ length: 5 }, () => authorizeRequestOf(world, live('acct_faulty')));
  const [, bad, ...results] = await Promise.allSettled([
    wallet.authorize(authorizeRequestOf(world, live('acct_other'))),
    // Half a call: not an integer, so the whole statement is refused.
    wallet.authorize({ ...authorizeRequestOf(world, live('acct_faulty')), quantity: 0.5 }),
    ...good.map((request) => wallet.authorize(request)),
  ]);
  expect(bad?.status).toBe('rejected');
  expect(results.map(({ status }) => status)).toEqual(good.map(() => 'fulfilled'));
  expect(
    (await listCalls(db, { ...live('acct_faulty'), cursor: null, limit: 50 }))?.calls.length,
  ).toBe(6);
});

test('refuses a capture above the hold and completes the batch around it', async () => {
  const [first, second] = [
    authorizeRequestOf(world, live('acct_over')),
    authorizeRequestOf(world, live('acct_over')),
  ];
  await openAll([first, second]);
  const [, uncovered, coveredCall] = await Promise.allSettled([
    wallet.authorize(authorizeRequestOf(world, live('acct_other'))),
    wallet.capture(captureRequestOf(first.requestId, 2)),
    wallet.capture(captureRequestOf(second.requestId, 1)),
  ]);
  expect(uncovered?.status).toBe('rejected');
  expect(coveredCall).toEqual({ status: 'fulfilled', value: { kind: 'settled' } });
  await wallet.release({
    requestId: first.requestId,
    status: 503,
    code: 'temporarily_unavailable',
  });
});

test('a finished key returns its call; a failed call frees the key', async () => {
  const whose = live('acct_keys');
  const done = authorizeRequestOf(world, { ...whose, ...claim('done') });
  const failed = authorizeRequestOf(world, { ...whose, ...claim('failed') });
  await openAll([done, failed]);
  await wallet.capture(captureRequestOf(done.requestId, 1));
  await wallet.release({ requestId: failed.requestId, status: 502, code: 'upstream_error' });
  const duplicate = {
    kind: 'duplicate',
    original: { requestId: done.requestId, status: 200, completedAt: TEST_NOW },
  };
  const authorizeWith = (key: string, fingerprint: string) =>
    wallet.findIdempotencyKey({ ...whose, key, fingerprint });
  expect(await authorizeWith('done', 'f')).toEqual(duplicate);
  expect(await wallet.authorize(authorizeRequestOf(world, { ...whose, ...claim('done') }))).toEqual(
    duplicate,
  );
  expect(await authorizeWith('done', 'g')).toEqual({ kind: 'reused', requestId: done.requestId });
  expect(await authorizeWith('failed', 'g')).toBeNull();
  expect(
    (await wallet.authorize(authorizeRequestOf(world, { ...whose, ...claim('failed', 'g') }))).kind,
  ).toBe('authorized');
  expect(
    await wallet.findIdempotencyKey({ ...whose, livemode: false, key: 'done', fingerprint: 'f' }),
  ).toBeNull();
});

test('a hold ends once; an equal repetition succeeds, a different end is refused', async () => {
  const authorizeRequest = authorizeRequestOf(world, live('acct_once'));
  await wallet.authorize(authorizeRequest);
  const response = captureRequestOf(authorizeRequest.requestId, 1);
  expect(await wallet.capture(response)).toEqual({ kind: 'settled' });
  expect(await wallet.capture(response)).toEqual({ kind: 'settled' });
  expect(await wallet.capture({ ...response, body: Buffer.from('{}') })).toEqual({ kind: 'lost' });
  await wallet.release({
    requestId: authorizeRequest.requestId,
    status: 502,
    code: 'upstream_error',
  });
  const call = await findCall(world, db, {
    ...live('acct_once'),
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
    usage: response.usage,
    charge: { total: PRICE, freeQuota: PRICE, voucher: 0n, cash: 0n },
    response: { status: 200, contentType: response.contentType, body: response.body },
  });
});

test('quotas count started calls, free ones included, not released or refused ones', async () => {
  const smallQuota = { ...live('acct_quota'), quotas: { day: 3, month: 4 } };
  const free = { ...smallQuota, sku: null, amount: 0n };
  const first = authorizeRequestOf(world, smallQuota);
  const responses = await openAll([
    first,
    ...[free, smallQuota, smallQuota].map((input) => authorizeRequestOf(world, input)),
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

test('a key’s budget counts holds and charges, and no returned money', async () => {
  const budget = { amount: 5n * PRICE, period: 'day' } as const;
  const whose = { ...live('acct_budget'), budget };
  const first = authorizeRequestFor(world, 3, whose);
  expect((await wallet.authorize(first)).kind).toBe('authorized');
  expect(await wallet.authorize(authorizeRequestFor(world, 3, whose))).toEqual({
    kind: 'budget_exceeded',
    required: 3n * PRICE,
    available: 2n * PRICE,
    resetsAt: dayEnds,
  });
  // Another key of the account has its own quota; the account's total does not restart.
  const total = { budget: { amount: PRICE, period: 'total' } as const, keyId: 'key_two' };
  expect((await wallet.authorize(authorizeRequestFor(world, 1, { ...whose, ...total }))).kind).toBe(
    'authorized',
  );
  expect(
    await wallet.authorize(authorizeRequestFor(world, 1, { ...whose, ...total })),
  ).toMatchObject({
    kind: 'budget_exceeded',
    available: 0n,
    resetsAt: null,
  });
  await wallet.capture(captureRequestOf(first.requestId, 1));
  expect((await wallet.authorize(authorizeRequestFor(world, 4, whose))).kind).toBe('authorized');
});

test('adjusts a hold to the measured price, up or down, or releases it', async () => {
  const whose = live('acct_measure');
  const record = { reference: null, reason: 'test', actor: 'test' };
  await creditAccount(world, db, { ...whose, ...record, amount: CNY });
  const allowance = { source: 'allowance', balance: 'allowance:2026-08-22' };
  const authorizeRequest = authorizeRequestFor(world, 50, {
    ...whose,
    ...claim('m'),
    maxCharge: 80n * PRICE,
  });
  await wallet.authorize(authorizeRequest);
  const measure = (units: number) =>
    wallet.adjust(authorizeRequest.requestId, { quantity: units, amount: BigInt(units) * PRICE });
  expect(await measure(60)).toEqual({
    kind: 'held',
    allocations: [
      { ...allowance, amount: 2n * CNY },
      { source: 'cash', balance: 'cash', amount: 60n * PRICE - 2n * CNY },
    ],
  });
  expect(await measure(20)).toEqual({
    kind: 'held',
    allocations: [{ ...allowance, amount: 20n * PRICE }],
  });
  const tooMuch = { kind: 'insufficient', required: 81n * PRICE, resetsAt: dayEnds };
  expect(await measure(81)).toEqual({ ...tooMuch, available: 80n * PRICE });
  expect((await readAccountMoney(world, db, whose)).balance.held).toBe(0n);
  expect(await wallet.findIdempotencyKey({ ...whose, key: 'm', fingerprint: 'f' })).toBeNull();
  await expect(measure(1)).rejects.toMatchObject({ code: 'temporarily_unavailable' });

  const broke = authorizeRequestFor(world, 1, whose);
  await wallet.authorize(broke);
  const next = { quantity: 100, amount: 100n * PRICE };
  expect(await wallet.adjust(broke.requestId, next)).toEqual({
    kind: 'insufficient',
    required: 100n * PRICE,
    available: 3n * CNY,
    resetsAt: dayEnds,
  });
});

test('lists calls by page, and counts them by day, capability and key', async () => {
  const whose = live('acct_read');
  // Calls authorized in one batch have the same instant and are ordered by id.
  const authorizeRequests = [1, 2, 3, 90].map((count) => {
    clock.advance(1);
    return authorizeRequestFor(world, count, { ...whose, keyId: `key_${count % 2}` });
  });
  const responses = await openAll(authorizeRequests);
  expect(kinds(responses)).toEqual(['authorized', 'authorized', 'authorized', 'insufficient']);
  const [one, second, three] = authorizeRequests as [
    AuthorizeRequest,
    AuthorizeRequest,
    AuthorizeRequest,
  ];
  await wallet.capture(captureRequestOf(one.requestId, 1));
  await wallet.capture(captureRequestOf(second.requestId, 1));
  await wallet.release({ requestId: three.requestId, status: 422, code: 'media_unavailable' });
  const first = await listCalls(db, { ...whose, cursor: null, limit: 2 });
  const nextPage = await listCalls(db, { ...whose, cursor: first?.nextCursor ?? '', limit: 2 });
  const listedCalls = [...(first?.calls ?? []), ...(nextPage?.calls ?? [])];
  expect(
    listedCalls.map(({ requestId, state, charge }) => [requestId, state, charge?.total]),
  ).toEqual([
    [three.requestId, 'released', undefined],
    [second.requestId, 'captured', PRICE],
    [one.requestId, 'captured', PRICE],
  ]);
  expect(nextPage?.nextCursor).toBeNull();
  expect(await listCalls(db, { ...whose, cursor: 'no cursor', limit: 2 })).toBeNull();
  const range = { ...whose, from: '2026-08-22', to: '2026-08-22' };
  const charge = (total: bigint) => ({ total, freeQuota: total, voucher: 0n, cash: 0n });
  expect(await usageOf(world, db, { ...range, groupBy: 'key' })).toEqual([
    { group: 'key_0', calls: 1, succeeded: 1, charge: charge(PRICE) },
    { group: 'key_1', calls: 2, succeeded: 1, charge: charge(PRICE) },
  ]);
  expect(await usageOf(world, db, { ...range, groupBy: 'day' })).toEqual([
    { group: '2026-08-22', calls: 3, succeeded: 2, charge: charge(2n * PRICE) },
  ]);
  expect(
    await usageOf(world, db, { ...range, to: '2026-08-21', from: '2026-08-01', groupBy: 'day' }),
  ).toEqual([]);
});

test('reopens a lost connection, and no request has two effects', async () => {
  const cutConnections = () =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'radar ledger' AND datname = current_database()`.execute(sqlOf(db));
  const authorizeRequests = Array.from({ length: 40 }, () =>
    authorizeRequestOf(world, live('acct_cut')),
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
  const { balance, allowance } = await readAccountMoney(world, db, live('acct_cut'));
  expect(balance.held).toBe(40n * PRICE);
  expect(allowance.remaining).toBe(2n * CNY - 40n * PRICE);
});

test('a commit waits for the disk as the server is configured', async () => {
  const levels: string[] = [];
  for (const level of ['off', 'local', 'on', 'remote_apply']) {
    const set = `ALTER DATABASE %I SET synchronous_commit = ${level}`;
    const body = `BEGIN EXECUTE format('${set}', current_database()); END`;
    await sql`DO ${sql.lit(body)}`.execute(sqlOf(db));
    const line = openLedgerConnection(world.log, db);
    const response = await line.execute(
      { name: 'level', text: `SELECT current_setting('synchronous_commit')` },
      [],
    );
    levels.push(response.kind === 'result' ? response.text : response.error);
    await line.close();
  }
  expect(levels).toEqual(['on', 'local', 'on', 'remote_apply']);
});
