// Where reading stands after a reading, and what enough readings in a row have confirmed. Pure: a
// failure moves nothing but the time of the next attempt.
import type { NetResponse } from '../../../kernel/net/net.ts';
import type { ReadingPosition } from '../../../store/radar/sources/fetch-states.ts';
import { nextReadAt, rhythmOf, SHORTEST_MS } from './next-fetch.ts';
import { cachingOf, permanentMove } from './request-source.ts';

/** Readings in a row that must agree before a source's address or status is changed. */
const CONFIRMATIONS = 3;
/** The first wait for a server that could not be reached; each failure doubles it. */
const UNREACHABLE_MS = 60_000;

export type Ended = {
  readonly position: ReadingPosition;
  readonly outcome: 'read' | 'unchanged' | 'gone' | 'failed' | 'refused';
  readonly response: NetResponse | null;
  /** Of the document, when it was read. */
  readonly bodyHash: string | null;
  /** Entries were left for the next reading, which must see the whole document again. */
  readonly isPartial: boolean;
  readonly now: number;
};

const isGood = ({ outcome }: Ended) => outcome === 'read' || outcome === 'unchanged';

/** The address to which the source has moved for good, once enough readings have said so. */
export function confirmedMove(ended: Ended): string | null {
  const { position, response } = ended;
  const to = isGood(ended) && response ? permanentMove(response) : null;
  if (to === null || to !== position.moved_to) return null;
  return position.moved_count + 1 >= CONFIRMATIONS ? to : null;
}

export function isConfirmedEnd({ outcome, position }: Ended): boolean {
  return outcome === 'gone' && position.gone_count + 1 >= CONFIRMATIONS;
}

export type Rhythm = {
  /** When its newest entries were published, epoch milliseconds, in any order. */
  readonly publishedAts: readonly number[];
  readonly intervalMs: number;
  /** In [0, 1). */
  readonly chance: number;
};

export function nextPosition(ended: Ended, rhythm: Rhythm): ReadingPosition {
  const { position, outcome, response, now } = ended;
  const caching = cachingOf(response, now);
  const failures = isGood(ended) ? 0 : position.failures + 1;
  const usualMs = rhythmOf(rhythm.publishedAts, rhythm.intervalMs);
  return {
    ...position,
    ...(isGood(ended) && moved(ended)),
    ...(isGood(ended) && { last_success_at: now, gone_count: 0 }),
    ...(isGood(ended) && !ended.isPartial && { imported_at: position.imported_at ?? now }),
    ...(isGood(ended) && validators(ended)),
    ...(outcome === 'gone' && { gone_count: position.gone_count + 1 }),
    failures,
    next_read_at: nextReadAt({
      now,
      rhythmMs: paceOf(ended, usualMs),
      failures,
      freshUntil: ended.isPartial ? null : caching.freshUntil,
      retryAfterAt: caching.retryAfterAt,
      chance: rhythm.chance,
    }),
  };
}

/** Soon where something is left, or where nobody answered: often our own network's fault. */
function paceOf({ isPartial, outcome, response }: Ended, usualMs: number): number {
  if (isPartial) return SHORTEST_MS;
  return outcome === 'failed' && response === null ? UNREACHABLE_MS : usualMs;
}

function moved({ position, response }: Ended) {
  const to = response && permanentMove(response);
  if (to === null) return { moved_to: null, moved_count: 0 };
  return { moved_to: to, moved_count: to === position.moved_to ? position.moved_count + 1 : 1 };
}

/** By which the next request is conditional: none while something of the document is left. */
function validators({ position, outcome, response, bodyHash, isPartial, now }: Ended) {
  if (isPartial) return { etag: null, last_modified: null, body_hash: null };
  const { etag, lastModified } = cachingOf(response, now);
  const kept = outcome === 'unchanged' ? position : { etag: null, last_modified: null };
  return {
    etag: etag ?? kept.etag,
    last_modified: lastModified ?? kept.last_modified,
    body_hash: bodyHash ?? position.body_hash,
  };
}
