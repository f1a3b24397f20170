// Caches whole responses by request line, so a repeated request is not parsed. An entry is valid
// for one read model and one minute of the clock. Unchanged content keeps its compressed forms.
// A request that never repeats is not stored, so its objects are released early.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../../kernel/text/hash-text.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import { type CachedResponse, copyFromPool } from './cached-response.ts';

/** Estimated bytes of an entry without its bodies. */
const ENTRY_OVERHEAD = 1_000;
const REQUEST_SLOTS = 16_384;
/**
 * Hashes with the same remainder share a group. With one slot for each remainder, two popular pages
 * could replace each other's hash at every request, so neither page would be stored.
 */
const SLOTS_PER_GROUP = 8;
/** One response for the next read model, and one for the next minute. */
const PREPARED_MAX = 2;

/** The state that a response depends on, besides its request line. */
export type RequestMoment = {
  /** The read model, compared by identity: a version can repeat when the clock goes back. */
  readonly model: object;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Renders the response again; null: the response no longer exists. */
export type Rerender = () => Promise<CachedResponse | null>;

/** The read model is a number here, so an entry does not keep a replaced read model in memory. */
type ResponseVersion = {
  readonly response: CachedResponse;
  readonly model: number;
  readonly minute: number;
};

type Entry = {
  readonly current: ResponseVersion;
  readonly render: Rerender | null;
  /** Responses for the next read model and for the next minute, the newest first. */
  preparedVersions: readonly ResponseVersion[];
  /** The period in which the response was last sent from this cache; null: not yet. */
  lastHit: number | null;
};

export type HotResponse = {
  readonly response: CachedResponse;
  readonly render: Rerender;
  /** True when a response for this later read model or minute is stored. */
  isPrepared(moment: RequestMoment): boolean;
  /** Stores the response for a later read model or minute. */
  prepare(moment: RequestMoment, response: CachedResponse): void;
};

export type ResponseCache = {
  get(url: string, moment: RequestMoment): CachedResponse | null;
  /**
   * Stores the response if the same request came before. Returns the response to send, which may
   * be an older response with equal content.
   */
  put(
    url: string,
    moment: RequestMoment,
    response: CachedResponse,
    render?: Rerender,
  ): CachedResponse;
  /**
   * Responses with a `render` that were sent from this cache in the current period or the one
   * before, the most recently used first.
   */
  hotResponses(): readonly HotResponse[];
  /** Like `hotResponses`; afterwards the next period begins. */
  takeHotResponses(): readonly HotResponse[];
  /** True when a response to this request is stored, current or not. */
  has(url: string): boolean;
  /** True while an entry holds the response as its current or a prepared response. */
  isInUse(response: CachedResponse): boolean;
  /** Estimated bytes of all entries. */
  bytes(): number;
};

export function openResponseCache(maxBytes: number): ResponseCache {
  const modelNumberOf = openModelNumbers();
  const usedResponses = new WeakSet<CachedResponse>();
  /** The factor covers the codings and the serialized forms of a body. */
  const sizeOf = ({ current: { response } }: Entry, url: string) =>
    response.bytes.length * 4 + url.length + ENTRY_OVERHEAD;
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: ({ current, preparedVersions }, _url, reason) => {
      if (reason !== 'evict') return;
      for (const { response } of [current, ...preparedVersions]) usedResponses.delete(response);
    },
    noDisposeOnSet: true,
  });
  const recordRequest = openRequestTable();
  let period = 0;
  const versionOf = ({ model, now }: RequestMoment, response: CachedResponse): ResponseVersion => ({
    response,
    model: modelNumberOf(model),
    minute: Math.floor(now / MINUTE_MS),
  });
  const isValidAt = ({ model, minute }: ResponseVersion, moment: RequestMoment): boolean =>
    model === modelNumberOf(moment.model) && minute === Math.floor(moment.now / MINUTE_MS);
  /** Replaces the current response. Prepared responses of its read model stay. */
  const replaceCurrent = (
    url: string,
    before: Entry,
    current: ResponseVersion,
    lastHit: number | null,
  ) => {
    const isStillPrepared = (each: ResponseVersion) =>
      each !== current && each.model === current.model;
    const prepared = before.preparedVersions.filter(isStillPrepared);
    updateUsedResponses([before.current, ...before.preparedVersions], [current, ...prepared]);
    entries.set(url, { current, render: before.render, preparedVersions: prepared, lastHit });
  };
  const updateUsedResponses = (
    before: readonly ResponseVersion[],
    after: readonly ResponseVersion[],
  ): void => {
    for (const { response } of before) usedResponses.delete(response);
    for (const { response } of after) usedResponses.add(response);
  };
  const prepare = (url: string, moment: RequestMoment, response: CachedResponse) => {
    const entry = entries.peek(url);
    if (entry === undefined) return;
    const next = versionOf(moment, chooseResponseToStore(entry.current.response, response));
    const prepared = [next, ...entry.preparedVersions].slice(0, PREPARED_MAX);
    updateUsedResponses([entry.current, ...entry.preparedVersions], [entry.current, ...prepared]);
    entry.preparedVersions = prepared;
  };
  const listHotResponses = (): readonly HotResponse[] => {
    const hot: HotResponse[] = [];
    for (const [url, entry] of entries.entries()) {
      const { render, lastHit, current } = entry;
      if (render === null || lastHit === null || lastHit < period - 1) continue;
      const { response } = current;
      hot.push({
        response,
        render,
        isPrepared: (moment) => entry.preparedVersions.some((each) => isValidAt(each, moment)),
        prepare: (moment, preparedResponse) => prepare(url, moment, preparedResponse),
      });
    }
    return hot;
  };
  return {
    get: (url, moment) => {
      const entry = entries.get(url);
      if (entry === undefined) return null;
      const { current } = entry;
      if (isValidAt(current, moment)) {
        entry.lastHit = period;
        return current.response;
      }
      const prepared = entry.preparedVersions.find((each) => isValidAt(each, moment));
      if (prepared === undefined) return null;
      replaceCurrent(url, entry, prepared, period);
      return prepared.response;
    },
    put: (url, moment, response, render) => {
      const before = entries.get(url);
      if (before === undefined && !recordRequest(url)) return response;
      const storedResponse = chooseResponseToStore(before?.current.response, response);
      const current = versionOf(moment, storedResponse);
      if (before !== undefined) {
        replaceCurrent(url, before, current, before.lastHit);
        return storedResponse;
      }
      usedResponses.add(storedResponse);
      entries.set(url, { current, render: render ?? null, preparedVersions: [], lastHit: null });
      return storedResponse;
    },
    hotResponses: listHotResponses,
    takeHotResponses: () => {
      const responses = listHotResponses();
      period += 1;
      return responses;
    },
    has: (url) => entries.has(url),
    isInUse: (response) => usedResponses.has(response),
    bytes: () => entries.calculatedSize,
  };
}

/**
 * Returns a function that records a request. Its result is true when the same request was one of
 * the last few thousand. The table stores hashes, because objects for requests that never repeat
 * would fill the heap.
 */
function openRequestTable(): (url: string) => boolean {
  const hashes = new Uint32Array(REQUEST_SLOTS);
  return (url) => {
    const hash = hashText(url);
    const start = (hash % (REQUEST_SLOTS / SLOTS_PER_GROUP)) * SLOTS_PER_GROUP;
    const end = start + SLOTS_PER_GROUP;
    if (hashes.subarray(start, end).includes(hash)) return true;
    // The oldest hash of the group is dropped.
    hashes.copyWithin(start + 1, start, end - 1);
    hashes[start] = hash;
    return false;
  };
}

/** Returns the older response for equal content. Equal ETags can have different bytes. */
function chooseResponseToStore(
  before: CachedResponse | undefined,
  response: CachedResponse,
): CachedResponse {
  if (before?.etag !== response.etag || !before.bytes.equals(response.bytes))
    return copyFromPool(response);
  response.release?.();
  return before;
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
