// GET /api/v1/account, /calls, /calls/{id} and /usage: with any key of the account, in its mode.
import { describe, expect, test } from 'vitest';
import { issueVoucher, topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { parseCny } from '../../../src/kernel/money.ts';
import { shanghaiDay } from '../../../src/kernel/time/calendar.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { readGatewayContract } from '../../support/gateway-contract.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const contract = await readGatewayContract(gateway.origin);
const { world, db, clock } = gateway;
const amountOf = (text: string) => parseCny(text) ?? 0n;

async function readJson(path: string, key: string) {
  const response = await gateway.readPath(path, key);
  expect(contract.faultsOf({ path }, response), path).toEqual([]);
  return response;
}

test('returns allowance, vouchers by expiry and cash', async () => {
  const account = await gateway.newAccount();
  const credit = { accountId: account.accountId, livemode: true, actor: 'test', reason: 'test' };
  await topUp(world, db, { ...credit, amount: amountOf('100'), reference: 'one' });
  const expiresAt = clock.now() + HOUR_MS;
  const voucher = {
    ...credit,
    name: 'Welcome',
    amount: amountOf('1'),
    expiresAt,
    reference: 'two',
  };
  const { voucherId } = await issueVoucher(world, db, voucher);
  // 5,030 seconds cost 5.03 CNY: 2 from the allowance, the amount of the voucher, and 2.03 in cash.
  const spendingCall = await gateway.call(
    'timed',
    { text: 'a long video', does: 'measure', seconds: 5_030 },
    { key: account.sk },
  );
  expect(json(spendingCall).charge).toEqual({
    currency: 'CNY',
    total: '5.03',
    free_quota: '2',
    voucher: '1',
    cash: '2.03',
  });
  const expected = {
    id: account.accountId,
    livemode: true,
    currency: 'CNY',
    balance: { cash: '97.97', vouchers: '0', held: '0', total: '97.97' },
    vouchers: [
      {
        id: voucherId,
        name: 'Welcome',
        amount: '1',
        remaining: '0',
        expires_at: '2026-08-22T13:00:00.000Z',
      },
    ],
    free_quota: {
      period: 'daily',
      amount: '2',
      remaining: '0',
      resets_at: '2026-08-22T16:00:00.000Z',
    },
    limits: {
      rate: { q: 10_000, w: 1 },
      quotas: {
        day: { limit: 100_000, used: 1, resets_at: '2026-08-22T16:00:00.000Z' },
        month: { limit: 2_000_000, used: 1, resets_at: '2026-08-31T16:00:00.000Z' },
      },
    },
  };
  expect(json(await readJson('/api/v1/account', account.sk))).toEqual(expected);
  expect(json(await readJson('/api/v1/account', account.ak))).toEqual(expected);
  const testAccount = json(await readJson('/api/v1/account', account.akTest));
  expect(testAccount).toMatchObject({ livemode: false, free_quota: { remaining: '2' } });
});

describe('calls', () => {
  test('returns calls newest first, by page, with capability and cost', async () => {
    const account = await gateway.newAccount();
    const { id, text: key } = await gateway.newKey({ accountId: account.accountId, name: 'Mine' });
    const ids: unknown[] = [];
    for (const text of ['one', 'two', 'three']) {
      clock.advance(1000);
      const options = { key, idempotencyKey: text };
      ids.unshift(json(await gateway.call('paid', { text }, options)).request_id);
    }
    clock.advance(1000);
    const failedCall = await gateway.call('paid', { text: 'four', does: 'fail' }, { key });
    ids.unshift(failedCall.headers['x-request-id']);
    const firstPage = json(await readJson('/api/v1/calls?limit=3', account.ak));
    const calls = firstPage.calls as Record<string, unknown>[];
    expect(calls.map((call) => call.request_id)).toEqual(ids.slice(0, 3));
    expect(calls[0]).toMatchObject({ status: 'failed', http_status: 502, charge: null });
    expect(calls[1]).toEqual({
      request_id: ids[1],
      livemode: true,
      capability: 'paid',
      key: { id, name: 'Mine', last4: key.slice(-4) },
      status: 'succeeded',
      http_status: 200,
      created_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
      idempotency_key: 'three',
      usage: { unit: 'per_call', quantity: 1, increment: 'call' },
      charge: { currency: 'CNY', total: '0.036', free_quota: '0.036', voucher: '0', cash: '0' },
      refunds: [],
    });
    expect(firstPage.has_more).toBe(true);
    const nextPath = `/api/v1/calls?limit=3&cursor=${firstPage.next_cursor}`;
    const secondPage = json(await readJson(nextPath, account.sk));
    expect(secondPage).toMatchObject({ has_more: false, next_cursor: null });
    expect((secondPage.calls as { request_id: string }[]).map((call) => call.request_id)).toEqual([
      ids[3],
    ]);
    expect(json(await readJson('/api/v1/calls', account.skTest)).calls).toEqual([]);
  });

  test('returns 404 for another account, another mode and an unknown call', async () => {
    const [ownAccount, otherAccount] = [await gateway.newAccount(), await gateway.newAccount()];
    const callResponse = await gateway.call('free', { text: 'x' }, { key: ownAccount.sk });
    const path = `/api/v1/calls/${json(callResponse).request_id}`;
    expect(json(await readJson(path, ownAccount.sk))).toMatchObject({
      answer: {
        status: 200,
        content_type: 'application/json; charset=utf-8',
        body: json(callResponse),
      },
    });
    for (const key of [otherAccount.sk, ownAccount.skTest])
      expect((await readJson(path, key)).status).toBe(404);
    const unknownCall = await readJson('/api/v1/calls/req_000000000000000000000000', ownAccount.sk);
    expect(problemIn(unknownCall)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each(['cursor=none', 'limit=0', 'limit=101', 'page=2', 'limit=1&limit=2', 'cursor=%ff'])(
    'refuses ?%s',
    async (query) => {
      const response = await readJson(`/api/v1/calls?${query}`, gateway.keys.sk);
      expect(problemIn(response)).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );
});

describe('usage', () => {
  test('returns usage by Shanghai day, by capability and by key', async () => {
    const { accountId, sk } = await gateway.newAccount();
    const makeCalls = async () => {
      await gateway.call('paid', { text: 'x' }, { key: sk });
      await gateway.call('free', { text: 'x' }, { key: sk });
      await gateway.call('paid', { text: 'x', does: 'fail' }, { key: sk });
    };
    const dayOf = (time: number) => new Date(time + 8 * HOUR_MS).toISOString().slice(0, 10);
    const firstDay = dayOf(clock.now());
    await makeCalls();
    clock.advance(DAY_MS);
    const lastDay = dayOf(clock.now());
    await makeCalls();
    const charge = (total: string) => ({
      currency: 'CNY',
      total,
      free_quota: total,
      voucher: '0',
      cash: '0',
    });
    const range = `from=${firstDay}&to=${lastDay}`;
    const oneDay = { calls: 3, succeeded: 2, charge: charge('0.036') };
    expect(json(await readJson(`/api/v1/usage?${range}`, sk))).toEqual({
      from: firstDay,
      to: lastDay,
      group_by: 'day',
      rows: [
        { group: firstDay, ...oneDay },
        { group: lastDay, ...oneDay },
      ],
    });
    const byCapability = json(await readJson(`/api/v1/usage?${range}&group_by=capability`, sk));
    expect(byCapability.rows).toEqual([
      { group: 'free', calls: 2, succeeded: 2, charge: charge('0') },
      { group: 'paid', calls: 4, succeeded: 2, charge: charge('0.072') },
    ]);
    const byKey = json(
      await readJson(`/api/v1/usage?from=${lastDay}&to=${lastDay}&group_by=key`, sk),
    );
    expect(byKey.rows).toMatchObject([{ group: expect.stringMatching(/^key_/), calls: 3 }]);
    expect(accountId).toMatch(/^acct_/);
  });

  test('without dates, returns the usage of this month until today', async () => {
    const days = { from: '2026-08-01', to: shanghaiDay(gateway.clock.now()).day };
    const response = json(await readJson('/api/v1/usage', gateway.keys.sk));
    expect(response).toMatchObject({ ...days, group_by: 'day' });
    const chat = json(await readJson('/api/v1/usage/chat', gateway.keys.sk));
    expect(chat).toMatchObject({ ...days, group_by: 'model' });
  });

  test.each([
    ['from=x', 'The query parameter "from" must be a date, YYYY-MM-DD.'],
    ['to=0000-01-02', 'The query parameter "to" must be a date, YYYY-MM-DD.'],
    ['from=2026-02-30&to=2026-03-01', 'The query parameter "from" must be a date, YYYY-MM-DD.'],
    [
      'from=2026-03-02&to=2026-03-01',
      '"from" and "to" must span 1 to 366 days, and "from" must not be after "to".',
    ],
    [
      'from=2025-01-01&to=2026-01-02',
      '"from" and "to" must span 1 to 366 days, and "from" must not be after "to".',
    ],
  ])('refuses ?%s', async (query, detail) => {
    const response = await readJson(`/api/v1/usage?${query}`, gateway.keys.sk);
    expect(problemIn(response)).toMatchObject({ status: 400, detail });
  });
});
