// Limits that several nodes share: Debian's redis-server, two nodes, real time.
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { runningClock } from '../../../src/kernel/clock.ts';
import type { Limiter } from '../../../src/kernel/limits/limiter.ts';
import { openRedisLimiter } from '../../../src/kernel/limits/redis-limiter.ts';
import { json } from '../../support/ask.ts';
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

  test('together they admit the rate and its burst, exact to one in a hundred', async () => {
    const rate = { perSecond: 400, burst: 200 };
    const from = await micros();
    let admitted = 0;
    let last = from;
    let unasked = 0;
    while (last - from < 1_500_000) {
      const asked = [one, other].flatMap((node) =>
        Array.from({ length: 20 }, () => node.take('k', rate)),
      );
      for (const { isAllowed } of await Promise.all(asked)) admitted += isAllowed ? 1 : 0;
      const now = await micros();
      // What a bucket that is full already does not take in while nobody asks.
      unasked += Math.max(0, (rate.perSecond * (now - last)) / 1e6 - rate.burst);
      last = now;
    }
    const due = rate.burst + (rate.perSecond * (last - from)) / 1e6;
    expect(admitted).toBeGreaterThan((due - unasked) * 0.99);
    expect(admitted).toBeLessThan(due * 1.01);
  });

  test('each sees what the other took, and is told how long to wait', async () => {
    // So slow that nothing comes back while the test runs.
    const rate = { perSecond: 0.01, burst: 3 };
    const taken = [];
    for (const node of [one, other, one, other]) taken.push(await node.take('slow', rate));
    expect(taken.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    const { waitMs = 0 } = taken.at(-1) ?? {};
    expect(waitMs).toBeGreaterThan(90_000);
    expect(waitMs).toBeLessThanOrEqual(100_000);
  });

  test('while it is away nothing that costs money runs; what is free goes on', async () => {
    expect((await gateway.call('paid', { text: 'x' })).status).toBe(200);
    await redis.stop();
    const paid = await gateway.call('paid', { text: 'unlimited?' });
    expect(problemIn(paid)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    expect(paid.headers['retry-after']).toBe('2');
    expect(gateway.paid.runs).toEqual(['x']);
    expect((await gateway.call('free', { text: 'x' })).status).toBe(200);
    expect(json(await gateway.read('/api/v1/account'))).toMatchObject({ balance: { held: '0' } });
  });
});
