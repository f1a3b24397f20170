// The rate limiter that nodes share: the algorithm of `gcra.ts` as one atomic script. It uses the
// clock of Redis, so nodes with different clocks count alike.
import { Redis } from 'ioredis';
import { messageOf } from '../errors/fault.ts';
import type { Log } from '../observability/log.ts';
import type { Clock } from '../time/clock.ts';
import { type Limiter, type LimiterResult, openLocalLimiter } from './limiter.ts';

// Times are in microseconds, as the TIME command returns them. Numbers are returned as text,
// because script replies truncate fractions.
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

/** The longest wait of a request for Redis. */
const REPLY_TIMEOUT_MS = 500;
/** A connection without a reply for this long is replaced. */
const SILENCE_MS = 5_000;

type Commands = { gcra(key: string, intervalUs: string, burst: string): Promise<unknown> };

export function openRedisLimiter(clock: Clock, log: Log, url: string): Limiter {
  const client = new Redis(url, {
    keyPrefix: 'radar:limit:',
    socketTimeout: SILENCE_MS,
    connectTimeout: REPLY_TIMEOUT_MS * 4,
    maxRetriesPerRequest: 0,
    // A request that cannot be sent now is not queued, and uses the count of this node.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(1_000, attempt * 50),
  });
  let isUnavailable = false;
  client.on('error', (error) => {
    if (!isUnavailable)
      log.warn(
        { error: messageOf(error) },
        'the shared rate limiter is unavailable; each node counts alone until REDIS_URL responds',
      );
    isUnavailable = true;
  });
  client.on('ready', () => {
    isUnavailable = false;
  });
  client.defineCommand('gcra', { numberOfKeys: 1, lua: script });
  const commands = client as unknown as Commands;
  const local = openLocalLimiter(clock);
  return {
    take: async (key, rate) => {
      const intervalUs = String(1_000_000 / rate.perSecond);
      try {
        return toLimiterResult(
          await withTimeout(commands.gcra(key, intervalUs, String(rate.burst))),
        );
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'the shared rate limiter did not respond');
        return { ...local.takeToken(key, rate), isCertain: false };
      }
    },
    close: async () => {
      client.disconnect();
    },
  };
}

/**
 * Rejects after the timeout. A busy process runs its timers before it reads the socket. The
 * rejection therefore waits one more turn of the event loop, because Redis has counted a request
 * whose reply has arrived.
 */
function withTimeout<T>(result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectTimeout = () => reject(new Error(`no reply within ${REPLY_TIMEOUT_MS} ms`));
    const timer = setTimeout(() => setImmediate(rejectTimeout), REPLY_TIMEOUT_MS);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toLimiterResult(reply: unknown): LimiterResult {
  const [allowed, remaining, waitUs] = reply as readonly [number, number, string];
  return { isAllowed: allowed === 1, remaining, waitMs: Number(waitUs) / 1000, isCertain: true };
}
