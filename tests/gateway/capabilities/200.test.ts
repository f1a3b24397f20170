import { describe, expect, test } from 'vitest';
import { json } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

const envelope = {
  request_id: expect.stringMatching(/^req_[0-9a-f]{24}$/),
  livemode: true,
};
const perCall = { unit: 'per_call', quantity: 1, increment: 'call' };
const noCharge = { currency: 'CNY', total: '0', free_quota: '0', voucher: '0', cash: '0' };

test('a paid call draws on the daily allowance, and its response has the charge', async () => {
  const response = await gateway.call('paid', { text: 'a post' });
  expect(json(response)).toEqual({
    ...envelope,
    data: { text: 'a post' },
    usage: perCall,
    charge: { currency: 'CNY', total: '0.036', free_quota: '0.036', voucher: '0', cash: '0' },
  });
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': json(response).request_id,
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  });
});

test('a free call costs nothing and is counted', async () => {
  const accountBefore = json(await gateway.readPath('/api/v1/account'));
  const response = await gateway.call('free', { text: 'an image' });
  expect(json(response)).toEqual({
    ...envelope,
    data: { text: 'an image' },
    usage: perCall,
    charge: noCharge,
  });
  const accountAfter = json(await gateway.readPath('/api/v1/account'));
  const callsToday = (account: Record<string, unknown>) =>
    (account.limits as { quotas: { day: { used: number } } }).quotas.day.used;
  expect(callsToday(accountAfter)).toBe(callsToday(accountBefore) + 1);
});

test('a search that finds nothing costs nothing', async () => {
  const response = await gateway.call('paid', { text: 'nobody', does: 'find_nothing' });
  expect(json(response)).toMatchObject({ usage: { ...perCall, quantity: 0 }, charge: noCharge });
});

test('a call priced by length holds one minute and is charged as measured', async () => {
  const { sk } = await gateway.newAccount();
  const body = { text: 'a video', does: 'measure', seconds: 62 };
  expect(json(await gateway.call('timed', body, { key: sk }))).toMatchObject({
    usage: { unit: 'per_minute', quantity: 62, increment: 'second' },
    charge: { currency: 'CNY', total: '0.062', free_quota: '0.062', voucher: '0', cash: '0' },
  });
  const account = json(await gateway.readPath('/api/v1/account', sk));
  expect(account).toMatchObject({
    balance: { cash: '0', vouchers: '0', held: '0', total: '0' },
    free_quota: { amount: '2', remaining: '1.938' },
  });
});

test('headers give the remaining calls of the second, the day and the month', async () => {
  const { sk } = await gateway.newAccount();
  const { headers } = await gateway.call('free', { text: 'x' }, { key: sk });
  // 12:00 UTC on 22 August is 20:00 in Shanghai: four hours to midnight, nine days and four hours
  // to the end of the month.
  expect(headers['ratelimit-policy']).toBe(
    '"key";q=10000;w=1, "burst";q=100000;w=10, "day";q=100000;w=86400, ' +
      '"month";q=2000000;w=2678400',
  );
  expect(headers.ratelimit).toBe(
    '"key";r=9999;t=1, "burst";r=99999;t=1, "day";r=99999;t=14400, "month";r=1999999;t=792000',
  );
});

describe('max_charge', () => {
  test('permits a call whose price equals it', async () => {
    const response = await gateway.call('paid', { text: 'x', max_charge: '0.036' });
    expect(response.status).toBe(200);
  });
});

test('an agent key calls GET capabilities with a query', async () => {
  const path = '/api/v1/capabilities/agent?text=a+question&does=answer';
  const response = await gateway.readPath(path, gateway.keys.ak);
  expect(json(response)).toMatchObject({ data: { text: 'a question' }, charge: noCharge });
  // Idempotency-Key is ignored on GET, because GET is idempotent.
  const headers = { authorization: `Bearer ${gateway.keys.ak}`, 'idempotency-key': 'a' };
  expect((await gateway.sendRequest({ path, headers })).status).toBe(200);
  expect((await gateway.sendRequest({ path, headers })).status).toBe(200);
});

test('test mode uses the same code with separate balances', async () => {
  const account = await gateway.newAccount();
  const liveAccount = json(await gateway.readPath('/api/v1/account', account.sk));
  const response = json(await gateway.call('paid', { text: 'try' }, { key: account.skTest }));
  expect(response).toMatchObject({ livemode: false, charge: { total: '0.036' } });
  expect(json(await gateway.readPath('/api/v1/account', account.sk))).toEqual(liveAccount);
  expect(json(await gateway.readPath('/api/v1/account', account.skTest))).toMatchObject({
    livemode: false,
    balance: { cash: '100', vouchers: '10', held: '0', total: '110' },
    free_quota: { amount: '2', remaining: '1.964' },
  });
});

test('a call continues and is charged after the client disconnects', async () => {
  const { sk } = await gateway.newAccount();
  const headers = { authorization: `Bearer ${sk}`, 'content-type': 'application/json' };
  const abortController = new AbortController();
  const callArrived = gateway.paid.waitForRuns(1);
  const pendingCall = fetch(`${gateway.origin}/api/v1/capabilities/paid`, {
    method: 'POST',
    headers,
    signal: abortController.signal,
    body: JSON.stringify({ text: 'left', does: 'wait' }),
  });
  pendingCall.catch(() => {});
  await callArrived;
  abortController.abort();
  await expect(pendingCall).rejects.toThrow();
  gateway.paid.release();
  await expect
    .poll(async () => json(await gateway.readPath('/api/v1/calls', sk)))
    .toMatchObject({ calls: [{ http_status: 200, charge: { total: '0.036' } }] });
});
