// Caches whole responses by request line, so a repeated request is not parsed. An entry is valid
// for one read model and one minute of the clock. Unchanged content keeps its compressed forms.
// Nothing is kept of a request that never repeats, so its objects are released while young.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../../kernel/text/hash-text.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { CachedResponse } from './cached-response.ts';

const ENTRY_OVERHEAD = 1_000;
const REQUEST_SLOTS = 16_384;
/** The next read model in this minute, and the current one in the next minute. */
const PREPARED_MAX = 2;

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
  /** Made for moments to come: the next read model, and the next minute. The newest comes first. */
  prepared: readonly ResponseVersion[];
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
  /**
   * Stores the response of a request that came before. Returns the response to send, which may
   * be an older one with equal content.
   */
  put(
    url: string,
    moment: RequestMoment,
    response: CachedResponse,
    render?: Rerender,
  ): CachedResponse;
  /** Responses that were sent from this cache since `takeHot`, the most recent first. */
  hot(): readonly HotResponse[];
  /** The same; the next call begins anew. */
  takeHot(): readonly HotResponse[];
  /** Whether there is a response to this request, current or not. */
  has(url: string): boolean;
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
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: ({ current, prepared }, _url, reason) => {
      if (reason !== 'evict') return;
      for (const { response } of [current, ...prepared]) held.delete(response);
    },
    noDisposeOnSet: true,
  });
  const wasRequested = openRequestTable();
  const stampOf = ({ model, now }: RequestMoment, response: CachedResponse): ResponseVersion => ({
    response,
    model: numberOf(model),
    minute: Math.floor(now / MINUTE_MS),
  });
  const isAt = ({ model, minute }: ResponseVersion, moment: RequestMoment): boolean =>
    model === numberOf(moment.model) && minute === Math.floor(moment.now / MINUTE_MS);
  /** Replaces an entry by one with another response. Only those of its read model stay prepared. */
  const replace = (url: string, before: Entry, current: ResponseVersion, wasHit: boolean) => {
    const isAhead = (each: ResponseVersion) => each !== current && each.model === current.model;
    const prepared = before.prepared.filter(isAhead);
    changeHeld([before.current, ...before.prepared], [current, ...prepared]);
    entries.set(url, { current, render: before.render, prepared, wasHit });
  };
  const changeHeld = (
    before: readonly ResponseVersion[],
    after: readonly ResponseVersion[],
  ): void => {
    for (const { response } of before) held.delete(response);
    for (const { response } of after) held.add(response);
  };
  const prepare = (url: string, moment: RequestMoment, response: CachedResponse) => {
    const entry = entries.peek(url);
    if (entry === undefined) return;
    const next = stampOf(moment, keepEqual(entry.current.response, response));
    const prepared = [next, ...entry.prepared].slice(0, PREPARED_MAX);
    changeHeld([entry.current, ...entry.prepared], [entry.current, ...prepared]);
    entry.prepared = prepared;
  };
  const hotResponses = (forgets: boolean): readonly HotResponse[] => {
    const hot: HotResponse[] = [];
    for (const [url, entry] of entries.entries()) {
      const { render, wasHit, current } = entry;
      if (forgets) entry.wasHit = false;
      if (render === null || !wasHit) continue;
      const { response } = current;
      hot.push({ response, render, prepare: (moment, made) => prepare(url, moment, made) });
    }
    return hot;
  };
  return {
    get: (url, moment) => {
      const entry = entries.get(url);
      if (entry === undefined) return null;
      const { current } = entry;
      if (isAt(current, moment)) {
        entry.wasHit = true;
        return current.response;
      }
      const prepared = entry.prepared.find((each) => isAt(each, moment));
      if (prepared === undefined) return null;
      replace(url, entry, prepared, true);
      return prepared.response;
    },
    put: (url, moment, response, render) => {
      const before = entries.get(url);
      const stored = keepEqual(before?.current.response, response);
      const current = stampOf(moment, stored);
      if (before !== undefined) {
        replace(url, before, current, false);
        return stored;
      }
      if (!wasRequested(url)) return stored;
      held.add(stored);
      entries.set(url, { current, render: render ?? null, prepared: [], wasHit: false });
      return stored;
    },
    hot: () => hotResponses(false),
    takeHot: () => hotResponses(true),
    has: (url) => entries.has(url),
    holds: (response) => held.has(response),
    bytes: () => entries.calculatedSize,
  };
}

/**
 * Whether the request came before, among the last thousands. A request is a number in a fixed
 * table, because objects of requests that never repeat would fill the heap.
 */
function openRequestTable(): (url: string) => boolean {
  const hashes = new Uint32Array(REQUEST_SLOTS);
  return (url) => {
    const hash = hashText(url);
    const slot = hash % REQUEST_SLOTS;
    const isKnown = hashes[slot] === hash;
    hashes[slot] = hash;
    return isKnown;
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
