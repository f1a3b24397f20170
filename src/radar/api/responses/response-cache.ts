// Caches whole responses by request line, so a repeated request is not parsed. An entry is valid
// for one read model and one minute of the clock. Unchanged content keeps its compressed forms.
// Requests that never repeat share a small part, so their bytes are released while they are young.
import { LRUCache } from 'lru-cache';
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { CachedResponse } from './cached-response.ts';

const ENTRY_OVERHEAD = 1_000;
/** The part for responses that were requested once. */
const ONCE_SHARE = 1 / 32;
const SEEN_MAX = 10_000;

/** The state that a response depends on, besides its request line. */
export type RequestMoment = {
  /** The read model, compared by identity: a version can repeat when the clock goes back. */
  readonly model: object;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Makes the response again; null: there is none any more. */
export type Rerender = () => Promise<CachedResponse | null>;

/** The model by its number: an entry must not keep a replaced read model in memory. */
type ResponseVersion = {
  readonly response: CachedResponse;
  readonly model: number;
  readonly minute: number;
};

type Entry = {
  readonly current: ResponseVersion;
  readonly render: Rerender | null;
  /** Made for the next read model, before it replaces the current one. */
  prepared: ResponseVersion | null;
  /** Whether the current response was sent from this cache since `takeHot`. */
  wasHit: boolean;
};

export type HotResponse = {
  readonly response: CachedResponse;
  readonly render: Rerender;
  /** Stores the response for a moment to come. */
  prepare(moment: RequestMoment, response: CachedResponse): void;
};

export type ResponseCache = {
  get(url: string, moment: RequestMoment): CachedResponse | null;
  /** Stores a response; returns the one to send, which may be an older one with equal content. */
  put(
    url: string,
    moment: RequestMoment,
    response: CachedResponse,
    render?: Rerender,
  ): CachedResponse;
  /** Responses that were sent from this cache since the last call, the most recent first. */
  takeHot(): readonly HotResponse[];
  /** Whether the response is still current. */
  holds(response: CachedResponse): boolean;
  /** Estimated bytes of all entries. */
  bytes(): number;
};

export function openResponseCache(maxBytes: number): ResponseCache {
  const numberOf = openModelNumbers();
  const held = new WeakSet<CachedResponse>();
  const sizeOf = ({ current: { response } }: Entry, url: string) =>
    response.bytes.length * 4 + url.length + ENTRY_OVERHEAD;
  const openPart = (maxSize: number) =>
    new LRUCache<string, Entry>({
      maxSize,
      sizeCalculation: sizeOf,
      dispose: ({ current, prepared }, _url, reason) => {
        if (reason !== 'evict') return;
        held.delete(current.response);
        if (prepared !== null) held.delete(prepared.response);
      },
      noDisposeOnSet: true,
    });
  const onceMax = Math.ceil(maxBytes * ONCE_SHARE);
  const [newPart, repeatedPart] = [openPart(onceMax), openPart(maxBytes - onceMax)];
  /** Requests whose response may have left the small part before they repeated. */
  const requestedBefore = openBoundedCache<true>(SEEN_MAX);
  const find = (url: string) => repeatedPart.get(url) ?? newPart.get(url);
  const stampOf = ({ model, now }: RequestMoment, response: CachedResponse): ResponseVersion => ({
    response,
    model: numberOf(model),
    minute: Math.floor(now / MINUTE_MS),
  });
  const isAt = ({ model, minute }: ResponseVersion, moment: RequestMoment): boolean =>
    model === numberOf(moment.model) && minute === Math.floor(moment.now / MINUTE_MS);
  const cacheRepeated = (url: string, entry: Entry) => {
    newPart.delete(url);
    repeatedPart.set(url, entry);
  };
  /** Replaces an entry by one with another response, which is then the only current one. */
  const replace = (url: string, before: Entry, current: ResponseVersion, wasHit: boolean) => {
    for (const old of [before.current, before.prepared]) {
      if (old !== null && old.response !== current.response) held.delete(old.response);
    }
    held.add(current.response);
    cacheRepeated(url, { current, render: before.render, prepared: null, wasHit });
  };
  return {
    get: (url, moment) => {
      const entry = find(url);
      if (entry === undefined) return null;
      const { current, prepared } = entry;
      if (isAt(current, moment)) {
        if (!entry.wasHit) cacheRepeated(url, entry);
        entry.wasHit = true;
        return current.response;
      }
      if (prepared === null || !isAt(prepared, moment)) return null;
      replace(url, entry, prepared, true);
      return prepared.response;
    },
    put: (url, moment, response, render) => {
      const before = find(url);
      const stored = keepEqual(before?.current.response, response);
      const current = stampOf(moment, stored);
      if (before !== undefined) {
        replace(url, before, current, false);
        return stored;
      }
      held.add(stored);
      const entry = { current, render: render ?? null, prepared: null, wasHit: false };
      const isRepeated = requestedBefore.get(url) === true;
      requestedBefore.set(url, true);
      (isRepeated || sizeOf(entry, url) > onceMax ? repeatedPart : newPart).set(url, entry);
      return stored;
    },
    takeHot: () => {
      const hot: HotResponse[] = [];
      for (const [url, entry] of repeatedPart.entries()) {
        const { render, wasHit, current } = entry;
        entry.wasHit = false;
        if (render === null || !wasHit) continue;
        const prepare = (moment: RequestMoment, response: CachedResponse) => {
          const latest = repeatedPart.peek(url);
          if (latest === undefined) return;
          const next = keepEqual(latest.current.response, response);
          held.add(next);
          latest.prepared = stampOf(moment, next);
        };
        hot.push({ response: current.response, render, prepare });
      }
      return hot;
    },
    holds: (response) => held.has(response),
    bytes: () => newPart.calculatedSize + repeatedPart.calculatedSize,
  };
}

/** The older response when the content is equal. Equal tags can have different bytes. */
function keepEqual(before: CachedResponse | undefined, response: CachedResponse): CachedResponse {
  return before?.etag === response.etag && before.bytes.equals(response.bytes) ? before : response;
}

function openModelNumbers(): (model: object) => number {
  const numbers = new WeakMap<object, number>();
  let [lastModel, lastNumber, count] = [{}, 0, 0];
  return (model) => {
    if (model === lastModel) return lastNumber;
    const number = numbers.get(model) ?? ++count;
    numbers.set(model, number);
    [lastModel, lastNumber] = [model, number];
    return number;
  };
}
