// One reading of one source, top to bottom: fetch, parse, take in, move the position, write down
// what happened. A failure never advances the position; every attempt is a row.
import { createHash } from 'node:crypto';
import type { Db } from '../../kernel/db.ts';
import type { NetResponse } from '../../kernel/net/net.ts';
import type { Robots } from '../../kernel/net/robots.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/db.ts';
import {
  type ReadingPosition,
  readingPosition,
  saveReadingPosition,
} from '../../store/reading-positions.ts';
import { insertReading, type ReadingRow } from '../../store/readings.ts';
import {
  findSource,
  markSourceVerified,
  moveSource,
  type Source,
  setSourceStatus,
} from '../../store/sources.ts';
import type { Reading } from './entry.ts';
import { cachingOf, type Fetched, fetchSource, permanentMove } from './fetch-source.ts';
import { nextReadAt, rhythmOf } from './next-read.ts';
import { readDocument } from './read-document.ts';
import { definitionOf } from './stored-source.ts';
import { takeEntries } from './take-entries.ts';

/** Readings in a row that must agree before a source's address or status is changed. */
export const CONFIRMATIONS = 3;

export type ReadResult =
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'done'; readonly reading: ReadingRow };

export async function readSource(
  world: World,
  db: Db,
  robots: Robots,
  sourceId: string,
): Promise<ReadResult> {
  const source = await findSource(db, sourceId);
  if (!source) return { kind: 'skipped', reason: 'no such source' };
  if (source.status !== 'active') return { kind: 'skipped', reason: source.status };
  if (source.kind === 'push') return { kind: 'skipped', reason: 'pushed, not read' };
  const position = await readingPosition(db, sourceId);
  const startedAt = world.clock.now();
  const fetched = await fetchSource(world, robots, source, position);
  const result = interpret(world, source, position, fetched);
  const reading = await settle(world, db, { source, position, startedAt, fetched, result });
  const log = { source: source.id, outcome: reading.outcome, created: reading.created };
  world.log.info({ ...log, changed: reading.changed, message: reading.message }, 'source read');
  return { kind: 'done', reading };
}

type Result =
  | { readonly kind: 'read'; readonly reading: Reading; readonly bodyHash: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone' | 'failed' | 'refused'; readonly message: string };

function interpret(
  world: World,
  source: Source,
  position: ReadingPosition,
  fetched: Fetched,
): Result {
  switch (fetched.kind) {
    case 'not_modified':
      return { kind: 'unchanged' };
    case 'gone':
      return { kind: 'gone', message: 'the server says that it is gone (410)' };
    case 'failed':
    case 'refused':
      return { kind: fetched.kind, message: fetched.message };
    case 'document': {
      const { body, headers, url } = fetched.response;
      const bodyHash = createHash('sha256').update(body).digest('base64url');
      if (bodyHash === position.body_hash) return { kind: 'unchanged' };
      const contentType = headers['content-type'] ?? null;
      const document = { bytes: body, contentType, url, now: world.clock.now() };
      const outcome = readDocument(definitionOf(source), document);
      return outcome.kind === 'read'
        ? { kind: 'read', reading: outcome.reading, bodyHash }
        : { kind: 'failed', message: outcome.reason };
    }
  }
}

type Settlement = {
  readonly source: Source;
  readonly position: ReadingPosition;
  readonly startedAt: number;
  readonly fetched: Fetched;
  readonly result: Result;
};

async function settle(world: World, db: Db, s: Settlement): Promise<ReadingRow> {
  return inTransaction(db, async (tx) => {
    const { source, position, result } = s;
    const response = 'response' in s.fetched ? s.fetched.response : null;
    const taken =
      result.kind === 'read'
        ? await takeEntries(world, tx, source, {
            entries: result.reading.entries,
            isBackfill: position.imported_at === null,
          })
        : { entries: 0, created: 0, changed: 0 };
    if (result.kind === 'read') await markSourceVerified(tx, source.id, world.clock.now());
    const moved = await followUp(world, tx, s, response);
    await saveReadingPosition(tx, nextPosition(world, s, response));
    const row: ReadingRow = {
      id: world.ids.next(),
      source_id: source.id,
      started_at: s.startedAt,
      duration_ms: world.clock.now() - s.startedAt,
      outcome: moved ?? result.kind,
      status: response?.status ?? null,
      bytes: response?.wireBytes ?? null,
      entries: taken.entries,
      created: taken.created,
      changed: taken.changed,
      message: messageOf(result),
    };
    await insertReading(tx, row);
    return row;
  });
}

function messageOf(result: Result): string | null {
  if ('message' in result) return result.message;
  return result.kind === 'read' ? result.reading.warnings.join('; ') || null : null;
}

/** A move or an end that enough readings agree on is believed, and written to the source. */
async function followUp(
  world: World,
  tx: Db,
  { source, position, result }: Settlement,
  response: NetResponse | null,
): Promise<'moved' | 'gone' | null> {
  const now = world.clock.now();
  if (result.kind === 'gone' && position.gone_count + 1 >= CONFIRMATIONS) {
    await setSourceStatus(tx, source.id, 'gone', now);
    return 'gone';
  }
  const to = response && permanentMove(response);
  if (result.kind !== 'read' && result.kind !== 'unchanged') return null;
  if (!to || to !== position.moved_to || position.moved_count + 1 < CONFIRMATIONS) return null;
  return (await moveSource(tx, source.id, to, now)) ? 'moved' : null;
}

function nextPosition(
  world: World,
  { source, position, result }: Settlement,
  response: NetResponse | null,
): ReadingPosition {
  const now = world.clock.now();
  const caching = cachingOf(response, now);
  const isGood = result.kind === 'read' || result.kind === 'unchanged';
  const failures = isGood ? 0 : position.failures + 1;
  const interval = source.interval_minutes * 60_000;
  const times = result.kind === 'read' ? publishedTimes(result.reading) : [];
  const to = isGood && response ? permanentMove(response) : position.moved_to;
  return {
    ...position,
    ...(isGood && {
      etag: caching.etag ?? (result.kind === 'unchanged' ? position.etag : null),
      last_modified:
        caching.lastModified ?? (result.kind === 'unchanged' ? position.last_modified : null),
      imported_at: position.imported_at ?? now,
      last_success_at: now,
      gone_count: 0,
      moved_to: to,
      moved_count: to !== null && to === position.moved_to ? position.moved_count + 1 : 1,
    }),
    ...(result.kind === 'read' && { body_hash: result.bodyHash }),
    ...(result.kind === 'gone' && { gone_count: position.gone_count + 1 }),
    failures,
    next_read_at: nextReadAt({
      now,
      rhythmMs: rhythmOf(times, interval),
      failures,
      freshUntil: caching.freshUntil,
      retryAfterAt: caching.retryAfterAt,
      chance: world.random.next(),
    }),
  };
}

const publishedTimes = (reading: Reading): readonly number[] =>
  reading.entries.flatMap((entry) => (entry.publishedAt ? [Date.parse(entry.publishedAt)] : []));
