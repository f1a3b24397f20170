// Caches whole responses by request line, so a repeated request is not parsed. An entry is valid
// for one read model and one minute of the clock. Unchanged content keeps its compressed forms.
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { CachedResponse } from './cached-response.ts';

const ENTRY_OVERHEAD = 1_000;

/** The state that a response depends on, besides its request line. */
export type RequestMoment = {
  /** The read model, compared by identity: a version can repeat when the clock goes back. */
  readonly model: object;
  /** Epoch milliseconds. */
  readonly now: number;
};

type Entry = { readonly response: CachedResponse; readonly stamp: number };

export type ResponseCache = {
  get(url: string, moment: RequestMoment): CachedResponse | null;
  /** Stores a response; returns the one to send, which may be an older one with equal content. */
  put(url: string, moment: RequestMoment, response: CachedResponse): CachedResponse;
  /** Whether the response is still current. */
  holds(response: CachedResponse): boolean;
  /** Estimated bytes of all entries. */
  bytes(): number;
};

export function openResponseCache(maxBytes: number): ResponseCache {
  const stampOf = openStateNumbers();
  const current = new WeakSet<CachedResponse>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, url) => response.bytes.length * 4 + url.length + ENTRY_OVERHEAD,
    dispose: ({ response }) => current.delete(response),
    noDisposeOnSet: true,
  });
  return {
    get: (url, moment) => {
      const entry = entries.get(url);
      return entry !== undefined && entry.stamp === stampOf(moment) ? entry.response : null;
    },
    put: (url, moment, response) => {
      const before = entries.get(url)?.response;
      // Equal tags with different bytes: a later ranking with the same content.
      const isSame = before?.etag === response.etag && before.bytes.equals(response.bytes);
      const stored = before !== undefined && isSame ? before : response;
      if (before !== undefined && stored !== before) current.delete(before);
      current.add(stored);
      entries.set(url, { response: stored, stamp: stampOf(moment) });
      return stored;
    },
    holds: (response) => current.has(response),
    bytes: () => entries.calculatedSize,
  };
}

/** A number per state that differs from the previous one and never repeats. */
function openStateNumbers(): (moment: RequestMoment) => number {
  let readModel: object | null = null;
  let minute = Number.NaN;
  let stamp = 0;
  return (moment) => {
    const at = Math.floor(moment.now / MINUTE_MS);
    if (moment.model === readModel && at === minute) return stamp;
    readModel = moment.model;
    minute = at;
    stamp += 1;
    return stamp;
  };
}
