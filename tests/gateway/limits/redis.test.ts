// Limits that several nodes share: Debian's redis-server, two nodes, real time.
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import type { Limiter } from '../../../src/kernel/rate-limit/limiter.ts';
import { openRedisLimiter } from '../../../src/kernel/rate-limit/redis-limiter.ts';
import { runningClock } from '../../../src/kernel/time/clock.ts';
import { json } from '../../support/http-request.ts';
import { openTestRedis } from '../../support/redis-server.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';
import { testWorld } from '../../support/test-world.ts';
import { requireTool } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const tool = requireTool('redis-server');

async function openShared(program: string) {
  const redis = await openTestRedis(program);
  const openNode = async (): Promise<Limiter> => {
    const node = openRedisLimiter(runningClock(), testWorld().world.log, redis.url);
    afterAll(() => node.close());
    await until(async () => {
      const { isCertain } = await node.take('connected', { perSecond: 1, burst: 9_999 });
      return isCertain ? true : null;
    });
    return node;
  };
  const watch = new Redis(redis.url);
  afterAll(() => watch.disconnect());
  const one = await openNode();
  const other = await openNode();
  const gateway = await openTestGateway({ limiter: await openNode() });
  /** Redis' own time, microseconds. */
  const micros = async () => {
    const [seconds, rest] = await watch.time();
    return Number(seconds) * 1e6 + Number(rest);
  };
  return { redis, one, other, gateway, micros };
}

const shared = tool.kind === 'found' ? await openShared(tool.path) : null;

describe.skipIf(shared === null)('two nodes and one Redis', () => {
  if (shared === null) return;
  const { redis, one, other, gateway, micros } = shared;

  /** Runs for more than 1.5 seconds; returns whether Redis responded nearly all the time. */
  const admitInTurns = async (key: string): Promise<boolean> => {
    const rate = { perSecond: 400, burst: 200 };
    const requestBoth = () => {
      const both = [one, other].flatMap((node) => Array.from({ length: 60 }, () => node));
      return Promise.all(both.map((node) => node.take(key, rate)));
    };
    /** Tokens that are refilled between two times of Redis. */
    const dueIn = (from: number, to: number) => (rate.perSecond * (to - from)) / 1e6;
    let [requests, admitted, unanswered] = [0, 0, 0];
    const requestAll = async () => {
      const responses = await requestBoth();
      const certain = responses.filter(({ isCertain }) => isCertain);
      requests += responses.length;
      admitted += certain.filter(({ isAllowed }) => isAllowed).length;
      // A reply of Redis may be late; it is unknown whether a request without a reply was counted.
      unanswered += responses.length - certain.length;
      return certain.every(({ isAllowed }) => isAllowed) ? 'admitted' : 'refused';
    };
    /** At a refusal the bucket is empty. Its time lies between two known times. */
    const requestUntilRefused = async () => {
      for (;;) {
        const after = await micros();
        if ((await requestAll()) === 'refused') return { after, before: await micros() };
      }
    };
    const from = await micros();
    const first = await requestUntilRefused();
    let last = first;
    // Refill that a full bucket loses during a pause. The machine may pause for half a second at
    // any moment.
    let overflown = 0;
    while (last.after - from < 1_500_000) {
      const next = await requestUntilRefused();
      overflown += Math.max(0, dueIn(last.after, next.before) - rate.burst);
      last = next;
    }
    const minAdmitted = rate.burst + dueIn(first.before, last.after) - overflown;
    expect(admitted + unanswered).toBeGreaterThan(minAdmitted * 0.99);
    expect(admitted).toBeLessThan((rate.burst + dueIn(from, last.before)) * 1.01);
    return unanswered < requests / 10;
  };

  test('together admit the rate and its burst within one percent', async () => {
    // One pass in which nearly all requests have a reply; requests without a reply prove little.
    let turns = 0;
    await until(async () => {
      turns += 1;
      return (await admitInTurns(`k${turns}`)) ? true : null;
    });
  });

  test('a delayed node uses the stored response', async () => {
    const decision = one.take('late', { perSecond: 1, burst: 2 });
    // After the request is sent, this process pauses longer than the time limit, so that Redis can
    // reply.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    expect(await decision).toEqual({ isAllowed: true, remaining: 1, waitMs: 0, isCertain: true });
  });

  test('each counts the other’s requests and states the wait', async () => {
    // So slow that no reply arrives during the test.
    const rate = { perSecond: 0.01, burst: 3 };
    let turns = 0;
    // Every check needs a reply from Redis, which may be slow for a moment.
    const decision = await until(async () => {
      turns += 1;
      const results = [];
      for (const node of [one, other, one, other]) {
        results.push(await node.take(`slow-${turns}`, rate));
      }
      return results.every(({ isCertain }) => isCertain) ? results : null;
    });
    expect(decision.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    const { waitMs = 0 } = decision.at(-1) ?? {};
    expect(waitMs).toBeGreaterThan(90_000);
    expect(waitMs).toBeLessThanOrEqual(100_000);
  });

  test('without Redis paid calls stop and free ones continue', async () => {
    // Refused while Redis does not respond for a moment, as during an outage.
    await until(async () =>
      (await gateway.call('paid', { text: 'x' })).status === 200 ? true : null,
    );
    await redis.stop();
    const paid = await gateway.call('paid', { text: 'unlimited?' });
    expect(problemIn(paid)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    expect(paid.headers['retry-after']).toBe('2');
    expect(gateway.paid.runs).toEqual(['x']);
    expect((await gateway.call('free', { text: 'x' })).status).toBe(200);
    expect(json(await gateway.read('/api/v1/account'))).toMatchObject({ balance: { held: '0' } });
  });
});
