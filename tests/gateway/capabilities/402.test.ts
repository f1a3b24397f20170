import { describe, expect, test } from 'vitest';
import { parseCny } from '../../../src/kernel/money.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

const refusal = (detail: string, required: string, available: string) => ({
  type: '/problems/insufficient-balance',
  title: 'Insufficient balance',
  status: 402,
  detail: `${detail} Nothing was charged, and nothing was run.`,
  instance: '/api/v1/capabilities/paid',
  code: 'insufficient_balance',
  required,
  available,
  free_quota_resets_at: '2026-08-22T16:00:00.000Z',
});

/**
 * An account with an allowance of 2 CNY, of which only the price of `remaining` seconds is left.
 */
async function openSpentAccount(remaining = 0) {
  const account = await gateway.newAccount();
  const body = { text: 'spend', does: 'measure', seconds: 2000 - remaining };
  const { status } = await gateway.call('timed', body, { key: account.sk });
  expect(status).toBe(200);
  return account;
}

test('returns the price and the balance when the wallet does not cover the price', async () => {
  const { sk } = await openSpentAccount(20);
  const response = await gateway.call('paid', { text: 'too dear' }, { key: sk });
  expect(response.status).toBe(402);
  const detail = 'The wallet does not cover this call.';
  expect(problemIn(response)).toEqual(refusal(detail, '0.036', '0.02'));
  expect(gateway.paid.runs).not.toContain('too dear');
  const account = json(await gateway.readPath('/api/v1/account', sk));
  expect(account).toMatchObject({
    free_quota: { remaining: '0.02' },
    balance: { held: '0' },
    limits: { quotas: { day: { used: 1 } } },
  });
  // Free calls still succeed.
  expect((await gateway.call('free', { text: 'x' }, { key: sk })).status).toBe(200);
});

test('releases the hold and the Idempotency-Key when a measured price is not covered', async () => {
  const { sk } = await gateway.newAccount();
  const callWithLength = (seconds: number) => {
    const body = { text: `video of ${seconds}`, does: 'measure', seconds };
    return gateway.call('timed', body, { key: sk, idempotencyKey: 'one-video' });
  };
  const refusal = await callWithLength(2001);
  expect(problemIn(refusal)).toMatchObject({ status: 402, required: '2.001', available: '2' });
  const retriedCall = await callWithLength(2000);
  expect(json(retriedCall)).toMatchObject({ charge: { total: '2', free_quota: '2' } });
});

test('does not charge when the provider reports that the price is not covered', async () => {
  const { sk } = await gateway.newAccount();
  const response = await gateway.call('paid', { text: 'x', does: 'insufficient' }, { key: sk });
  expect(problemIn(response)).toMatchObject({ status: 402, required: '0.036', available: '0' });
  const account = json(await gateway.readPath('/api/v1/account', sk));
  expect(account).toMatchObject({ free_quota: { remaining: '2' }, balance: { held: '0' } });
});

describe('max_charge', () => {
  test('refuses a higher price before anything runs', async () => {
    const response = await gateway.call('paid', { text: 'above', max_charge: '0.0359' });
    const detail = 'The price, 0.036 CNY, is above max_charge.';
    expect(problemIn(response)).toEqual({
      ...refusal(detail, '0.036', '0.0359'),
      type: '/problems/max-charge-exceeded',
      title: 'Price above max_charge',
      code: 'max_charge_exceeded',
    });
    expect(gateway.paid.runs).not.toContain('above');
  });

  test('refuses a higher measured price', async () => {
    const body = { text: 'long', does: 'measure', seconds: 90, max_charge: '0.08' };
    const response = await gateway.call('timed', body);
    expect(problemIn(response)).toMatchObject({
      status: 402,
      code: 'max_charge_exceeded',
      required: '0.09',
      available: '0.08',
    });
    const account = json(await gateway.readPath('/api/v1/account'));
    expect(account).toMatchObject({ free_quota: { remaining: '2' }, balance: { held: '0' } });
  });
});

describe('the budget of a key', () => {
  const amount = parseCny('0.1') ?? 0n;

  test('refuses a call before the wallet is empty, with the start of the next period', async () => {
    const { accountId, sk } = await gateway.newAccount();
    const budget = { amount, period: 'day' as const };
    const { text: key } = await gateway.newKey({ accountId, budget });
    for (let index = 0; index < 2; index += 1) {
      expect((await gateway.call('paid', { text: 'x' }, { key })).status).toBe(200);
    }
    const response = await gateway.call('paid', { text: 'x' }, { key });
    expect(problemIn(response)).toEqual({
      ...refusal('The budget of this API key does not cover this call.', '0.036', '0.028'),
      type: '/problems/key-budget-exceeded',
      title: 'Key budget exceeded',
      code: 'key_budget_exceeded',
      budget_resets_at: '2026-08-22T16:00:00.000Z',
    });
    expect((await gateway.call('paid', { text: 'x' }, { key: sk })).status).toBe(200);
  });

  test('below the measured price refuses the call and frees the Idempotency-Key', async () => {
    const { accountId } = await gateway.newAccount();
    const budget = { amount: parseCny('0.08') ?? 0n, period: 'month' as const };
    const { text: key } = await gateway.newKey({ accountId, budget });
    const body = { text: 'long', does: 'measure', seconds: 90 };
    const idempotencyKey = 'one-budget';
    const response = await gateway.call('timed', body, { key, idempotencyKey });
    expect(problemIn(response)).toMatchObject({
      code: 'key_budget_exceeded',
      detail:
        'The budget of this API key does not cover this call. Nothing was charged, and nothing ' +
        'was run.',
      required: '0.09',
      available: '0.08',
      budget_resets_at: '2026-08-31T16:00:00.000Z',
    });
    const shorterCall = { text: 'short', does: 'measure', seconds: 80 };
    const shorterResponse = await gateway.call('timed', shorterCall, { key, idempotencyKey });
    expect(shorterResponse.status).toBe(200);
  });

  test('without a period is never reset', async () => {
    const { accountId } = await gateway.newAccount();
    const { text: key } = await gateway.newKey({
      accountId,
      budget: { amount: 1n, period: 'total' },
    });
    const response = await gateway.call('paid', { text: 'x' }, { key });
    expect(problemIn(response)).toMatchObject({
      code: 'key_budget_exceeded',
      available: '0.00000001',
      budget_resets_at: null,
    });
  });
});
