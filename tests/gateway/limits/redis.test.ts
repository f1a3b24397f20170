// Limits that several nodes share, with the redis-server of Debian, two nodes, and real time.
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import type { Limiter } from '../../../src/kernel/rate-limit/limiter.ts';
import { openRedisLimiter } from '../../../src/kernel/rate-limit/redis-limiter.ts';
import { runningClock } from '../../../src/kernel/time/clock.ts';
import { atEnd } from '../../support/at-end.ts';
import { json } from '../../support/http-request.ts';
import { openTestRedis } from '../../support/redis-server.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';
import { testWorld } from '../../support/test-world.ts';
import { requireTool } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const tool = requireTool('redis-server');

async function openSharedNodes(program: string) {
  const redis = await openTestRedis(program);
  const openNode = async (): Promise<Limiter> => {
    const node = openRedisLimiter(runningClock(), testWorld().world.log, redis.url);
    atEnd(() => node.close());
    await until(async () => {
      const { isCertain } = await node.take('connected', { perSecond: 1, burst: 9_999 });
      return isCertain ? true : null;
    });
    return node;
  };
  const timeClient = new Redis(redis.url);
  atEnd(() => timeClient.disconnect());
  const firstNode = await openNode();
  const secondNode = await openNode();
  const gateway = await openTestGateway({ limiter: await openNode() });
  /** The time of Redis, in microseconds. */
  const readMicroseconds = async () => {
    const [seconds, microseconds] = await timeClient.time();
    return Number(seconds) * 1e6 + Number(microseconds);
  };
  return { redis, firstNode, secondNode, gateway, readMicroseconds };
}

const sharedNodes = tool.kind === 'found' ? await openSharedNodes(tool.path) : null;

describe.skipIf(sharedNodes === null)('two nodes and one Redis', () => {
  if (sharedNodes === null) return;
  const { redis, firstNode, secondNode, gateway, readMicroseconds } = sharedNodes;

  /** Runs for more than 1.5 seconds; returns whether Redis responded nearly all the time. */
  const admitInTurns = async (key: string): Promise<boolean> => {
    const rate = { perSecond: 400, burst: 200 };
    const requestBoth = () => {
      const requestingNodes = [firstNode, secondNode].flatMap((node) =>
        Array.from({ length: 60 }, () => node),
      );
      return Promise.all(requestingNodes.map((node) => node.take(key, rate)));
    };
    /** Tokens that are refilled between two times of Redis. */
    const tokensBetween = (from: number, to: number) => (rate.perSecond * (to - from)) / 1e6;
    let [requests, admitted, unanswered] = [0, 0, 0];
    const requestAll = async () => {
      const responses = await requestBoth();
      const certainResults = responses.filter(({ isCertain }) => isCertain);
      requests += responses.length;
      admitted += certainResults.filter(({ isAllowed }) => isAllowed).length;
      // A reply of Redis may be late; it is unknown whether a request without a reply was counted.
      unanswered += responses.length - certainResults.length;
      return certainResults.every(({ isAllowed }) => isAllowed) ? 'admitted' : 'refused';
    };
    /** The bucket is empty at a refusal. The time of the refusal lies between two known times. */
    const requestUntilRefused = async () => {
      for (;;) {
        const after = await readMicroseconds();
        if ((await requestAll()) === 'refused') return { after, before: await readMicroseconds() };
      }
    };
    const startedAt = await readMicroseconds();
    const firstRefusal = await requestUntilRefused();
    let lastRefusal = firstRefusal;
    // A full bucket loses the refill of a pause. The machine can pause for half a second at any
    // moment.
    let lostTokens = 0;
    while (lastRefusal.after - startedAt < 1_500_000) {
      const nextRefusal = await requestUntilRefused();
      lostTokens += Math.max(0, tokensBetween(lastRefusal.after, nextRefusal.before) - rate.burst);
      lastRefusal = nextRefusal;
    }
    const minAdmitted =
      rate.burst + tokensBetween(firstRefusal.before, lastRefusal.after) - lostTokens;
    expect(admitted + unanswered).toBeGreaterThan(minAdmitted * 0.99);
    expect(admitted).toBeLessThan(
      (rate.burst + tokensBetween(startedAt, lastRefusal.before)) * 1.01,
    );
    return unanswered < requests / 10;
  };

  test('together admit the rate and its burst within one percent', async () => {
    // One pass needs replies to nearly all requests, because requests without a reply prove little.
    let passes = 0;
    await until(async () => {
      passes += 1;
      return (await admitInTurns(`k${passes}`)) ? true : null;
    });
  });

  test('a node uses a reply that arrived while its process was paused', async () => {
    const decision = firstNode.take('late', { perSecond: 1, burst: 2 });
    // After the request is sent, this process pauses longer than the time limit, so that Redis can
    // reply.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    expect(await decision).toEqual({ isAllowed: true, remaining: 1, waitMs: 0, isCertain: true });
  });

  test('each node counts the requests of the other node and returns the wait', async () => {
    // The rate is so low that no token is refilled during the test.
    const rate = { perSecond: 0.01, burst: 3 };
    let passes = 0;
    // Every check needs a reply from Redis, which may be slow for a moment.
    const decisions = await until(async () => {
      passes += 1;
      const results = [];
      for (const node of [firstNode, secondNode, firstNode, secondNode]) {
        results.push(await node.take(`slow-${passes}`, rate));
      }
      return results.every(({ isCertain }) => isCertain) ? results : null;
    });
    expect(decisions.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    const { waitMs = 0 } = decisions.at(-1) ?? {};
    expect(waitMs).toBeGreaterThan(90_000);
    expect(waitMs).toBeLessThanOrEqual(100_000);
  });

  test('without Redis, paid calls are refused and free calls continue', async () => {
    // A paid call is also refused while Redis is slow, so the test waits for the first success.
    await until(async () =>
      (await gateway.call('paid', { text: 'x' })).status === 200 ? true : null,
    );
    await redis.stop();
    const paidCall = await gateway.call('paid', { text: 'unlimited?' });
    expect(problemIn(paidCall)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    expect(paidCall.headers['retry-after']).toBe('2');
    expect(gateway.paid.runs).toEqual(['x']);
    expect((await gateway.call('free', { text: 'x' })).status).toBe(200);
    expect(json(await gateway.readPath('/api/v1/account'))).toMatchObject({
      balance: { held: '0' },
    });
  });
});
