// Every row of the contract's table about Idempotency-Key.
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const { clock } = gateway;
const instance = '/api/v1/capabilities/paid';
let keyCount = 0;
const newKey = () => {
  keyCount += 1;
  return `key-${keyCount}`;
};
const runsOf = (text: string) => gateway.paid.runs.filter((run) => run === text).length;

describe('a repeated key of a finished call', () => {
  test('returns 409 with the address of the first call and is not charged again', async () => {
    const { sk } = await gateway.newAccount();
    const idempotencyKey = newKey();
    const firstCall = await gateway.call('paid', { text: 'once' }, { key: sk, idempotencyKey });
    const repeatedCall = await gateway.call('paid', { text: 'once' }, { key: sk, idempotencyKey });
    const { request_id: requestId } = json(firstCall);
    const url = `/api/v1/calls/${requestId}`;
    expect(repeatedCall.status).toBe(409);
    expect(repeatedCall.headers.location).toBe(url);
    expect(repeatedCall.headers['retry-after']).toBeUndefined();
    expect(problemIn(repeatedCall)).toEqual({
      type: '/problems/duplicate-idempotency-key',
      title: 'Duplicate Idempotency-Key',
      status: 409,
      detail: `The call of this Idempotency-Key was completed before, with 200: see ${url}.`,
      instance,
      code: 'duplicate_idempotency_key',
      original: { request_id: requestId, status: 200, url },
    });
    expect(runsOf('once')).toBe(1);
    // A client that lost the response can read it here.
    const storedCall = json(await gateway.readPath(url, sk));
    expect(storedCall).toMatchObject({
      idempotency_key: idempotencyKey,
      answer: { status: 200, body: json(firstCall) },
    });
    const account = json(await gateway.readPath('/api/v1/account', sk));
    expect(account).toMatchObject({
      free_quota: { remaining: '1.964' },
      limits: { quotas: { day: { used: 1 } } },
    });
  });

  test('replays the response byte for byte with Prefer: idempotent-replay', async () => {
    const idempotencyKey = newKey();
    const firstCall = await gateway.call('paid', { text: 'replay' }, { idempotencyKey });
    const options = { idempotencyKey, prefer: 'wait=5, idempotent-replay' };
    const repeatedCall = await gateway.call('paid', { text: 'replay' }, options);
    expect(repeatedCall.status).toBe(200);
    expect(repeatedCall.bytes).toEqual(firstCall.bytes);
    expect(repeatedCall.headers['content-type']).toBe(firstCall.headers['content-type']);
    expect(repeatedCall.headers['idempotent-replayed']).toBe('true');
    expect(firstCall.headers['idempotent-replayed']).toBeUndefined();
    expect(repeatedCall.headers['x-request-id']).toMatch(/^req_/);
    expect(repeatedCall.headers['x-request-id']).not.toBe(firstCall.headers['x-request-id']);
    expect(runsOf('replay')).toBe(1);
  });

  test('is recognized after its response expired', async () => {
    const { sk: key } = await gateway.newAccount();
    const idempotencyKey = newKey();
    const firstCall = await gateway.call('free', { text: 'old' }, { key, idempotencyKey });
    clock.advance(DAY_MS + 1);
    const prefer = 'idempotent-replay';
    const repeatedCall = await gateway.call(
      'free',
      { text: 'old' },
      { key, idempotencyKey, prefer },
    );
    expect(problemIn(repeatedCall)).toMatchObject({
      status: 409,
      code: 'duplicate_idempotency_key',
    });
    const storedCall = json(
      await gateway.readPath(`/api/v1/calls/${json(firstCall).request_id}`, key),
    );
    expect(storedCall.answer).toBeNull();
  });

  test('matches a body with reordered members and a quoted key', async () => {
    const idempotencyKey = newKey();
    await gateway.call('paid', '{"text":"same","does":"answer"}', { idempotencyKey });
    const quotedKey = `"${idempotencyKey}"`;
    const body = '{ "does": "answer", "text": "same" }';
    const repeatedCall = await gateway.call('paid', body, { idempotencyKey: quotedKey });
    expect(repeatedCall.status).toBe(409);
  });
});

test('returns 422 for the Idempotency-Key of a different request', async () => {
  const idempotencyKey = newKey();
  await gateway.call('paid', { text: 'this' }, { idempotencyKey });
  const repeatedCall = await gateway.call('paid', { text: 'that' }, { idempotencyKey });
  expect(repeatedCall.status).toBe(422);
  expect(problemIn(repeatedCall)).toEqual({
    type: '/problems/idempotency-key-reused',
    title: 'Idempotency-Key reused',
    status: 422,
    detail: 'This Idempotency-Key was sent with a different request before. Use a new key.',
    instance,
    code: 'idempotency_key_reused',
  });
  const otherCapabilityCall = await gateway.call('free', { text: 'this' }, { idempotencyKey });
  expect(otherCapabilityCall.status).toBe(422);
  const bodyWithMaxCharge = { text: 'this', max_charge: '1' };
  expect((await gateway.call('paid', bodyWithMaxCharge, { idempotencyKey })).status).toBe(422);
});

test('reports a used Idempotency-Key before a price above max_charge', async () => {
  const idempotencyKey = newKey();
  await gateway.call('paid', { text: 'used' }, { idempotencyKey });
  const body = { text: 'used', max_charge: '0' };
  expect((await gateway.call('paid', body, { idempotencyKey })).status).toBe(422);
  expect((await gateway.call('paid', body)).status).toBe(402);
});

test('returns 409 with a short Retry-After while the first request runs', async () => {
  const { sk: key } = await gateway.newAccount();
  const idempotencyKey = newKey();
  const body = { text: 'slow', does: 'wait' };
  const callArrived = gateway.paid.waitForRuns(1);
  const firstCall = gateway.call('paid', body, { key, idempotencyKey });
  await callArrived;
  const secondCall = await gateway.call('paid', body, { key, idempotencyKey });
  expect(secondCall.status).toBe(409);
  expect(secondCall.headers['retry-after']).toBe('1');
  expect(problemIn(secondCall)).toEqual({
    type: '/problems/idempotency-in-progress',
    title: 'Request in progress',
    status: 409,
    detail: 'The request with this Idempotency-Key is still running.',
    instance,
    code: 'idempotency_in_progress',
  });
  const accountDuringCall = json(await gateway.readPath('/api/v1/account', key));
  expect(accountDuringCall).toMatchObject({ free_quota: { remaining: '1.964' } });
  gateway.paid.release();
  const { request_id: requestId } = json(await firstCall);
  expect(secondCall.headers.location).toBe(`/api/v1/calls/${requestId}`);
  expect((await gateway.call('paid', body, { key, idempotencyKey })).status).toBe(409);
});

describe('an Idempotency-Key can be used again after', () => {
  test.each([
    ['an invalid request', { text: '' }, 400],
    ['a price above max_charge', { text: 'retry', max_charge: '0' }, 402],
    ['a failure of the provider', { text: 'retry', does: 'fail' }, 502],
    ['a defect', { text: 'retry', does: 'throw' }, 503],
    ['an unavailable post', { text: 'r', does: 'fail', code: 'media_unavailable' }, 422],
  ])('%s', async (_why, body, firstStatus) => {
    const idempotencyKey = newKey();
    expect((await gateway.call('paid', body, { idempotencyKey })).status).toBe(firstStatus);
    const retriedCall = await gateway.call('paid', { text: 'retry' }, { idempotencyKey });
    expect(retriedCall.status).toBe(200);
  });
});

test('keys are scoped to account and mode', async () => {
  const [firstAccount, secondAccount] = [await gateway.newAccount(), await gateway.newAccount()];
  const idempotencyKey = newKey();
  const statusWith = async (key: string) =>
    (await gateway.call('paid', { text: 'scope' }, { key, idempotencyKey })).status;
  expect(await statusWith(firstAccount.sk)).toBe(200);
  expect(await statusWith(secondAccount.sk)).toBe(200);
  expect(await statusWith(firstAccount.skTest)).toBe(200);
  const { text: siblingKey } = await gateway.newKey({ accountId: firstAccount.accountId });
  expect(await statusWith(siblingKey)).toBe(409);
});

test('1,000 concurrent requests with one key run once and are charged once', async () => {
  const { sk: key } = await gateway.newAccount();
  const idempotencyKey = newKey();
  const { origin: otherNode } = await gateway.openNode();
  const body = JSON.stringify({ text: 'thousand' });
  const callPaid = async (requestIndex: number) => {
    if (requestIndex % 2 === 0) return gateway.call('paid', body, { key, idempotencyKey });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    };
    const path = '/api/v1/capabilities/paid';
    const response = await fetch(otherNode + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const responses = await Promise.all(
    Array.from({ length: 1_000 }, (_, requestIndex) => callPaid(requestIndex)),
  );
  const byStatus = Object.groupBy(responses, ({ status }) => status);
  expect(Object.keys(byStatus)).toEqual(['200', '409']);
  expect(byStatus[200]).toHaveLength(1);
  expect(runsOf('thousand')).toBe(1);
  const account = json(await gateway.readPath('/api/v1/account', key));
  expect(account).toMatchObject({
    free_quota: { remaining: '1.964' },
    balance: { held: '0' },
    limits: { quotas: { day: { used: 1 } } },
  });
});
