import { describe, expect, test } from 'vitest';
import { limitAccount } from '../../../src/gateway/accounts/account.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const limits = { rate: { perSecond: 2, burst: 4 }, callsPerDay: 3, callsPerMonth: 5 };
const gateway = await openTestGateway({ limits });
const { clock, db } = gateway;

const spend = async (key: string) => {
  // Requests with pauses, so that the quota ends before the rate limit.
  clock.advance(1000);
  return gateway.call('free', { text: 'x' }, { key });
};

describe('rate_limited', () => {
  test('after the burst of a key, and not after the stated wait', async () => {
    const { sk: key } = await gateway.newAccount();
    const readAccount = () => gateway.read('/api/v1/account', key);
    const remainingHeaders = [];
    for (let n = 0; n < 4; n += 1) remainingHeaders.push((await readAccount()).headers.ratelimit);
    expect(remainingHeaders.map((text) => String(text).split(', ').slice(0, 2))).toEqual([
      ['"key";r=1;t=1', '"burst";r=3;t=1'],
      ['"key";r=1;t=1', '"burst";r=2;t=1'],
      ['"key";r=1;t=1', '"burst";r=1;t=1'],
      ['"key";r=0;t=1', '"burst";r=0;t=1'],
    ]);
    const limited = await readAccount();
    expect(problemIn(limited)).toEqual({
      type: '/problems/rate-limited',
      title: 'Too many requests',
      status: 429,
      detail: 'Too many requests with this API key. Try again in 1 s.',
      instance: '/api/v1/account',
      code: 'rate_limited',
      retry_after: 1,
    });
    expect(limited.headers['retry-after']).toBe('1');
    expect(limited.headers.ratelimit).toBe('"key";r=0;t=1, "burst";r=0;t=1');
    clock.advance(499);
    expect((await readAccount()).status).toBe(429);
    clock.advance(1);
    expect((await readAccount()).status).toBe(200);
    expect((await readAccount()).status).toBe(429);
  });

  test('applies to each key separately, and a refusal uses no quota', async () => {
    const { accountId, sk } = await gateway.newAccount();
    const { text: other } = await gateway.newKey({ accountId });
    for (let n = 0; n < 6; n += 1) await gateway.read('/api/v1/account', sk);
    const response = await gateway.read('/api/v1/account', other);
    expect(json(response)).toMatchObject({ limits: { quotas: { day: { used: 0 } } } });
  });
});

describe('quota_exceeded', () => {
  test('until Shanghai midnight for the day, then for the month', async () => {
    const { sk: key } = await gateway.newAccount();
    for (let n = 0; n < 3; n += 1) expect((await spend(key)).status).toBe(200);
    clock.advance(1000);
    const now = clock.now();
    const limited = await gateway.call('free', { text: 'x' }, { key });
    const wait = (Date.parse('2026-08-22T16:00:00Z') - now) / 1000;
    expect(problemIn(limited)).toEqual({
      type: '/problems/quota-exceeded',
      title: 'Quota exceeded',
      status: 429,
      detail:
        'The account has used up its 3 calls of this day. ' +
        'The next ones begin at 2026-08-22T16:00:00.000Z.',
      quota: 'day',
      quota_resets_at: '2026-08-22T16:00:00.000Z',
      instance: '/api/v1/capabilities/free',
      code: 'quota_exceeded',
      retry_after: Math.ceil(wait),
    });
    expect(limited.headers['retry-after']).toBe(String(Math.ceil(wait)));
    expect(limited.headers.ratelimit).toContain(`"day";r=0;t=${Math.ceil(wait)}`);

    clock.advance(Math.ceil(wait) * 1000);
    expect((await spend(key)).status).toBe(200);
    expect((await spend(key)).status).toBe(200);
    const month = await spend(key);
    expect(problemIn(month)).toMatchObject({
      code: 'quota_exceeded',
      quota: 'month',
      quota_resets_at: '2026-08-31T16:00:00.000Z',
    });
    const reset = clock.now() + Number(month.headers['retry-after']) * 1000;
    expect(new Date(reset).toISOString().slice(0, 16)).toBe('2026-08-31T16:00');
  });

  test('excludes failures, is separate in test mode, and follows operators’ limits', async () => {
    const { accountId, sk: key, skTest } = await gateway.newAccount();
    for (let n = 0; n < 5; n += 1) {
      clock.advance(1000);
      expect((await gateway.call('free', { text: 'x', does: 'fail' }, { key })).status).toBe(502);
    }
    for (let n = 0; n < 3; n += 1) expect((await spend(key)).status).toBe(200);
    expect((await spend(key)).status).toBe(429);
    expect((await spend(skTest)).status).toBe(200);
    await limitAccount(db, accountId, { perDay: 4, perMonth: null });
    expect((await spend(key)).status).toBe(200);
    expect((await spend(key)).status).toBe(429);
    clock.advance(DAY_MS);
  });
});
