import { describe, expect, test } from 'vitest';
import { setCallLimits } from '../../../src/gateway/accounts/account.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const limits = { rate: { perSecond: 2, burst: 4 }, callsPerDay: 3, callsPerMonth: 5 };
const gateway = await openTestGateway({ limits });
const { clock, db } = gateway;

const callFree = async (key: string) => {
  // The requests have pauses, so the quota is used up before the rate limit applies.
  clock.advance(1000);
  return gateway.call('free', { text: 'x' }, { key });
};

describe('rate_limited', () => {
  test('is returned after the burst of a key, until the wait of the response is over', async () => {
    const { sk: key } = await gateway.newAccount();
    const readAccount = () => gateway.readPath('/api/v1/account', key);
    const remainingHeaders = [];
    for (let callIndex = 0; callIndex < 4; callIndex += 1)
      remainingHeaders.push((await readAccount()).headers.ratelimit);
    expect(remainingHeaders.map((text) => String(text).split(', ').slice(0, 2))).toEqual([
      ['"key";r=1;t=1', '"burst";r=3;t=1'],
      ['"key";r=1;t=1', '"burst";r=2;t=1'],
      ['"key";r=1;t=1', '"burst";r=1;t=1'],
      ['"key";r=0;t=1', '"burst";r=0;t=1'],
    ]);
    const limitedResponse = await readAccount();
    expect(problemIn(limitedResponse)).toEqual({
      type: '/problems/rate-limited',
      title: 'Too many requests',
      status: 429,
      detail: 'Too many requests with this API key. Try again in 1 s.',
      instance: '/api/v1/account',
      code: 'rate_limited',
      retry_after: 1,
    });
    expect(limitedResponse.headers['retry-after']).toBe('1');
    expect(limitedResponse.headers.ratelimit).toBe('"key";r=0;t=1, "burst";r=0;t=1');
    clock.advance(499);
    expect((await readAccount()).status).toBe(429);
    clock.advance(1);
    expect((await readAccount()).status).toBe(200);
    expect((await readAccount()).status).toBe(429);
  });

  test('applies to each key separately, and a refusal uses no quota', async () => {
    const { accountId, sk } = await gateway.newAccount();
    const { text: otherKey } = await gateway.newKey({ accountId });
    for (let requestIndex = 0; requestIndex < limits.rate.burst; requestIndex += 1)
      await gateway.readPath('/api/v1/account', sk);
    const refusal = await gateway.call('free', { text: 'x' }, { key: sk });
    expect(problemIn(refusal)).toMatchObject({ status: 429, code: 'rate_limited' });
    const response = await gateway.readPath('/api/v1/account', otherKey);
    expect(json(response)).toMatchObject({ limits: { quotas: { day: { used: 0 } } } });
  });
});

describe('quota_exceeded', () => {
  test('is returned until midnight in Shanghai for the day, then for the month', async () => {
    const { sk: key } = await gateway.newAccount();
    for (let callIndex = 0; callIndex < 3; callIndex += 1)
      expect((await callFree(key)).status).toBe(200);
    clock.advance(1000);
    const now = clock.now();
    const limitedResponse = await gateway.call('free', { text: 'x' }, { key });
    const waitSeconds = (Date.parse('2026-08-22T16:00:00Z') - now) / 1000;
    expect(problemIn(limitedResponse)).toEqual({
      type: '/problems/quota-exceeded',
      title: 'Quota exceeded',
      status: 429,
      detail:
        'The account has used up its 3 calls of this day. ' +
        'The next day begins at 2026-08-22T16:00:00.000Z.',
      quota: 'day',
      quota_resets_at: '2026-08-22T16:00:00.000Z',
      instance: '/api/v1/capabilities/free',
      code: 'quota_exceeded',
      retry_after: Math.ceil(waitSeconds),
    });
    expect(limitedResponse.headers['retry-after']).toBe(String(Math.ceil(waitSeconds)));
    expect(limitedResponse.headers.ratelimit).toContain(`"day";r=0;t=${Math.ceil(waitSeconds)}`);

    clock.advance(Math.ceil(waitSeconds) * 1000);
    expect((await callFree(key)).status).toBe(200);
    expect((await callFree(key)).status).toBe(200);
    const monthResponse = await callFree(key);
    expect(problemIn(monthResponse)).toMatchObject({
      code: 'quota_exceeded',
      quota: 'month',
      quota_resets_at: '2026-08-31T16:00:00.000Z',
    });
    const resetsAt = clock.now() + Number(monthResponse.headers['retry-after']) * 1000;
    expect(new Date(resetsAt).toISOString().slice(0, 16)).toBe('2026-08-31T16:00');
  });

  test('excludes failures, is separate in test mode, and follows operators’ limits', async () => {
    const { accountId, sk: key, skTest } = await gateway.newAccount();
    for (let callIndex = 0; callIndex < 5; callIndex += 1) {
      clock.advance(1000);
      expect((await gateway.call('free', { text: 'x', does: 'fail' }, { key })).status).toBe(502);
    }
    for (let callIndex = 0; callIndex < 3; callIndex += 1)
      expect((await callFree(key)).status).toBe(200);
    expect((await callFree(key)).status).toBe(429);
    expect((await callFree(skTest)).status).toBe(200);
    await setCallLimits(db, accountId, { perDay: 4, perMonth: null });
    expect((await callFree(key)).status).toBe(200);
    expect((await callFree(key)).status).toBe(429);
  });
});
