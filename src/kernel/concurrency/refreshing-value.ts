// Caches a database value that every request needs and that rarely changes. The value is read at
// most once per interval, and concurrent callers share one read.
import type { World } from '../world.ts';

export type RefreshingValue<T> = {
  /**
   * Returns a value that is at most `maxAgeMs` old. Rejects when the read fails; the next call
   * reads again.
   */
  get(): Promise<T>;
  /**
   * Returns the cached value when it is at most `maxAgeMs` old; otherwise null, and the caller uses
   * `get`.
   */
  getCached(): T | null;
  /** Returns the last value that was read, of any age; null before the first read. */
  getLast(): T | null;
};

export function openRefreshingValue<T>(
  { clock }: Pick<World, 'clock'>,
  maxAgeMs: number,
  read: () => Promise<T>,
): RefreshingValue<T> {
  let latestRead: { readonly at: number; readonly result: Promise<T> } | null = null;
  let cached: { readonly value: T; readonly at: number } | null = null;
  // The age counts from the start of the read. A clock that was set back forces a new read.
  const isFresh = (at: number, now: number) => now >= at && now - at < maxAgeMs;
  const startRefresh = (at: number) => {
    const result = read().then(
      (value) => {
        // A slow response to an earlier read does not replace the value of a later read.
        if (latestRead?.result === result) cached = { value, at };
        return value;
      },
      (error) => {
        if (latestRead?.result === result) latestRead = null;
        throw error;
      },
    );
    latestRead = { at, result };
    return result;
  };
  return {
    get: () => {
      const now = clock.now();
      if (latestRead !== null && isFresh(latestRead.at, now)) return latestRead.result;
      return startRefresh(now);
    },
    getCached: () => (cached !== null && isFresh(cached.at, clock.now()) ? cached.value : null),
    getLast: () => cached?.value ?? null,
  };
}
