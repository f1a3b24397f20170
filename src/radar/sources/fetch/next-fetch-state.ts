// Pure functions that compute the fetch state after a fetch, and the source's changes that several
// fetches have confirmed. A failure changes only counters and the time of the next attempt.
import type { NetResponse } from '../../../kernel/net/net.ts';
import type { FetchStateRow } from '../../../store/radar/sources/fetch-states.ts';
import { fetchIntervalMs, nextFetchAt, SHORTEST_INTERVAL_MS } from './next-fetch.ts';
import { cachingOf, permanentMove } from './request-source.ts';

/** Consecutive fetches that must agree before a source's address or status changes. */
const CONFIRMATIONS = 3;
/** First delay for an unreachable server; each further failure doubles it. */
const UNREACHABLE_MS = 60_000;

export type FetchOutcome = {
  readonly state: FetchStateRow;
  readonly outcome: 'read' | 'unchanged' | 'gone' | 'failed' | 'refused';
  readonly response: NetResponse | null;
  /** Hash of the document; null when no document was parsed. */
  readonly bodyHash: string | null;
  /** True when some entries were deferred. The next fetch must receive the whole document again. */
  readonly isPartial: boolean;
  readonly now: number;
};

const isSuccess = ({ outcome }: FetchOutcome) => outcome === 'read' || outcome === 'unchanged';

/** The permanent new address, after enough consecutive redirects to it. */
export function confirmedNewAddress(fetched: FetchOutcome): string | null {
  const { state, response } = fetched;
  const newAddress = isSuccess(fetched) && response ? permanentMove(response) : null;
  if (newAddress === null || newAddress !== state.moved_to) return null;
  return state.moved_count + 1 >= CONFIRMATIONS ? newAddress : null;
}

export function isConfirmedGone({ outcome, state }: FetchOutcome): boolean {
  return outcome === 'gone' && state.gone_count + 1 >= CONFIRMATIONS;
}

export type ScheduleInput = {
  /** Publication times of the newest entries, epoch milliseconds, in any order. */
  readonly publishedAts: readonly number[];
  readonly intervalMs: number;
  /** Random number in [0, 1). */
  readonly chance: number;
};

export function nextFetchState(fetched: FetchOutcome, schedule: ScheduleInput): FetchStateRow {
  const { state, outcome, response, now } = fetched;
  const caching = cachingOf(response, now);
  const failures = isSuccess(fetched) ? 0 : state.failures + 1;
  const regularMs = fetchIntervalMs(schedule.publishedAts, schedule.intervalMs);
  return {
    ...state,
    ...(isSuccess(fetched) && nextRedirectState(fetched)),
    ...(isSuccess(fetched) && { last_success_at: now, gone_count: 0 }),
    ...(isSuccess(fetched) && !fetched.isPartial && { imported_at: state.imported_at ?? now }),
    ...(isSuccess(fetched) && nextValidators(fetched)),
    ...(outcome === 'gone' && { gone_count: state.gone_count + 1 }),
    failures,
    next_read_at: nextFetchAt({
      now,
      intervalMs: intervalAfter(fetched, regularMs),
      failures,
      freshUntil: fetched.isPartial ? null : caching.freshUntil,
      retryAfterAt: caching.retryAfterAt,
      chance: schedule.chance,
    }),
  };
}

/**
 * The interval is short after a partial fetch and after a connection failure, which is often a
 * fault of the local network.
 */
function intervalAfter({ isPartial, outcome, response }: FetchOutcome, regularMs: number): number {
  if (isPartial) return SHORTEST_INTERVAL_MS;
  return outcome === 'failed' && response === null ? UNREACHABLE_MS : regularMs;
}

function nextRedirectState({ state, response }: FetchOutcome) {
  const newAddress = response && permanentMove(response);
  if (newAddress === null) return { moved_to: null, moved_count: 0 };
  return {
    moved_to: newAddress,
    moved_count: newAddress === state.moved_to ? state.moved_count + 1 : 1,
  };
}

/** Validators of the next conditional request; none after a partial fetch. */
function nextValidators({ state, outcome, response, bodyHash, isPartial, now }: FetchOutcome) {
  if (isPartial) return { etag: null, last_modified: null, body_hash: null };
  const { etag, lastModified } = cachingOf(response, now);
  const previous = outcome === 'unchanged' ? state : { etag: null, last_modified: null };
  return {
    etag: etag ?? previous.etag,
    last_modified: lastModified ?? previous.last_modified,
    body_hash: bodyHash ?? state.body_hash,
  };
}
