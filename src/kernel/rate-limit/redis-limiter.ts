// The limiter that several nodes share: the same algorithm in one atomic script, on Redis' own
// clock, so that nodes whose clocks differ still count the same.
import { Redis } from 'ioredis';
import { messageOf } from '../errors/fault.ts';
import type { Log } from '../observability/log.ts';
import type { Clock } from '../time/clock.ts';
import { type Limited, type Limiter, openLocalLimiter } from './limiter.ts';

// Microseconds, as TIME has them. Numbers come back as text: a script's reply cuts off fractions.
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local tolerance = interval * (tonumber(ARGV[2]) - 1)
local arrives = tonumber(redis.call('GET', KEYS[1]) or now)
arrives = math.min(math.max(arrives, now), now + tolerance + interval)
local wait = arrives - now - tolerance
if wait > 0.001 then return { 0, 0, string.format('%.3f', wait) } end
arrives = arrives + interval
redis.call('SET', KEYS[1], string.format('%.3f', arrives),
  'PX', math.ceil((arrives - now) / 1000) + 1000)
local left = math.floor((tolerance - (arrives - now) + interval + 0.001) / interval)
return { 1, math.max(0, left), '0' }
`;

/** A request waits no longer than this to hear from Redis. */
const PATIENCE_MS = 500;
/** A connection on which nothing is heard for so long after a question is made anew. */
const SILENCE_MS = 5_000;

type Commands = { gcra(key: string, interval: string, burst: string): Promise<unknown> };

export function openRedisLimiter(clock: Clock, log: Log, url: string): Limiter {
  const client = new Redis(url, {
    keyPrefix: 'radar:limit:',
    socketTimeout: SILENCE_MS,
    connectTimeout: PATIENCE_MS * 4,
    maxRetriesPerRequest: 0,
    // A request that cannot be sent now is answered by what this node knows, not kept for later.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(1_000, attempt * 50),
  });
  let isAway = false;
  client.on('error', (error) => {
    if (!isAway) log.warn({ error: messageOf(error) }, 'the shared limiter is away');
    isAway = true;
  });
  client.on('ready', () => {
    isAway = false;
  });
  client.defineCommand('gcra', { numberOfKeys: 1, lua: script });
  const commands = client as unknown as Commands;
  const local = openLocalLimiter(clock);
  return {
    take: async (key, rate) => {
      const interval = String(1_000_000 / rate.perSecond);
      try {
        return read(await inTime(commands.gcra(key, interval, String(rate.burst))));
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'the shared limiter did not answer');
        return { ...local.takeNow(key, rate), isCertain: false };
      }
    },
    close: async () => {
      client.disconnect();
    },
  };
}

/**
 * What is answered within our patience. A process that had no time itself finds its timers due
 * before it reads what came meanwhile, so whoever looks late looks once more: the answer that lay
 * there is an answer, and was counted by Redis.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${PATIENCE_MS} ms`));
    const timer = setTimeout(() => setImmediate(late), PATIENCE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function read(reply: unknown): Limited {
  const [allowed, remaining, waitUs] = reply as readonly [number, number, string];
  return { isAllowed: allowed === 1, remaining, waitMs: Number(waitUs) / 1000, isCertain: true };
}
