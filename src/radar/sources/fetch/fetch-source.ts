// One reading of one source, top to bottom: fetch, parse, take in, move the position, write down
// what happened. A failure never advances the position; every attempt is a row.
import { createHash } from 'node:crypto';
import type { Robots } from '../../../kernel/net/robots.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import {
  type ReadingPosition,
  readingPosition,
  saveReadingPosition,
} from '../../../store/radar/sources/fetch-states.ts';
import { insertReading, type ReadingRow } from '../../../store/radar/sources/fetches.ts';
import { newestPublications } from '../../../store/radar/sources/items.ts';
import {
  findSource,
  lockSource,
  markSourceVerified,
  moveSource,
  type Source,
  setSourceStatus,
} from '../../../store/radar/sources/sources.ts';
import { takeEntries } from '../ingest/ingest-entries.ts';
import type { Reading } from '../parse/entry.ts';
import { readDocument } from '../parse/parse-document.ts';
import { definitionOf } from '../stored-source.ts';
import type { Details } from './fetch-detail-pages.ts';
import { type Note, note, sayNote } from './fetch-warning.ts';
import { confirmedMove, type Ended, isConfirmedEnd, nextPosition } from './next-fetch-state.ts';
import { noDetails, readDetails } from './read-details.ts';
import { type Fetched, fetchSource } from './request-source.ts';

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
  const result = await interpret(world, source, position, fetched);
  const details = await detailsOf(world, db, robots, source, result);
  const attempt = { source, position, startedAt, fetched, result, details };
  const reading = await inTransaction(db, (tx) => settle(world, tx, attempt));
  const log = { source: source.id, outcome: reading.outcome, created: reading.created };
  world.log.info({ ...log, changed: reading.changed, message: reading.message }, 'source read');
  return { kind: 'done', reading };
}

type Result =
  | { readonly kind: 'read'; readonly reading: Reading; readonly bodyHash: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone' | 'failed' | 'refused'; readonly note: Note };

async function interpret(
  world: World,
  source: Source,
  position: ReadingPosition,
  fetched: Fetched,
): Promise<Result> {
  switch (fetched.kind) {
    case 'not_modified':
      return { kind: 'unchanged' };
    case 'gone':
      return { kind: 'gone', note: note('gone') };
    case 'failed':
    case 'refused':
      return { kind: fetched.kind, note: fetched.note };
    case 'document': {
      const { body, headers, url } = fetched.response;
      const bodyHash = createHash('sha256').update(body).digest('base64url');
      if (bodyHash === position.body_hash) return { kind: 'unchanged' };
      const contentType = headers['content-type'] ?? null;
      const document = { bytes: body, contentType, url, now: world.clock.now() };
      const outcome = await readDocument(definitionOf(source), document);
      return outcome.kind === 'read'
        ? { kind: 'read', reading: outcome.reading, bodyHash }
        : { kind: 'failed', note: outcome.note };
    }
  }
}

async function detailsOf(
  world: World,
  db: Db,
  robots: Robots,
  source: Source,
  result: Result,
): Promise<Details> {
  const definition = definitionOf(source);
  if (result.kind !== 'read' || definition.kind !== 'web-list') return noDetails;
  const { settings } = definition;
  return readDetails(world, db, robots, { source, settings, entries: result.reading.entries });
}

type Attempt = {
  readonly source: Source;
  /** As it stood before the request. */
  readonly position: ReadingPosition;
  readonly startedAt: number;
  readonly fetched: Fetched;
  readonly result: Result;
  readonly details: Details;
};

/** Part of a transaction that begins with the source's lock, so it sees whoever was faster. */
async function settle(world: World, tx: Db, attempt: Attempt): Promise<ReadingRow> {
  const { result, details } = attempt;
  const source = await lockSource(tx, attempt.source.id);
  const position = await readingPosition(tx, attempt.source.id);
  const overtaken = whyOvertaken(attempt, source, position);
  if (overtaken !== null || source === null) {
    const outcome = result.kind === 'read' ? 'unchanged' : result.kind;
    const told = 'note' in result ? result.note : overtaken;
    const notes = told === null ? [] : [told];
    return record(world, tx, attempt, { outcome, ...nothing, notes });
  }
  const now = world.clock.now();
  const taken = result.kind === 'read' ? await take(world, tx, attempt, position) : nothing;
  if (result.kind === 'read') await markSourceVerified(tx, source.id, now);
  const ended: Ended = {
    position,
    outcome: result.kind,
    response: responseOf(attempt.fetched),
    bodyHash: result.kind === 'read' ? result.bodyHash : null,
    isPartial: details.left.size > 0,
    now,
  };
  const change = await followUp(tx, source, ended);
  const publishedAts = await newestPublications(tx, source.id, RHYTHM_OF);
  const rhythm = { publishedAts, intervalMs: source.interval_minutes * MINUTE_MS };
  await saveReadingPosition(tx, nextPosition(ended, { ...rhythm, chance: world.random.next() }));
  const notes = notesOf(result, details);
  return record(world, tx, attempt, { outcome: change ?? result.kind, ...taken, notes });
}

/** From so many of its newest entries a source's rhythm is heard. */
const RHYTHM_OF = 21;

/** What another reading stored while this one was under way may be newer: ours is let go. */
function whyOvertaken(
  attempt: Attempt,
  source: Source | null,
  position: ReadingPosition,
): Note | null {
  const before = attempt.position;
  if (source?.status !== 'active') return note('stopped');
  if (source.url !== attempt.source.url) return note('moved');
  const isSame =
    before.last_success_at === position.last_success_at &&
    before.body_hash === position.body_hash &&
    before.etag === position.etag &&
    before.last_modified === position.last_modified;
  return isSame ? null : note('overtaken');
}

function take(world: World, tx: Db, attempt: Attempt, position: ReadingPosition) {
  const { source, result, details } = attempt;
  const all = result.kind === 'read' ? result.reading.entries : [];
  const entries = all.filter((entry) => !details.left.has(entry));
  const isBackfill = position.imported_at === null;
  return takeEntries(world, tx, source, { entries, detailed: details.detailed, isBackfill });
}

const nothing = { entries: 0, created: 0, changed: 0 };

/** A move or an end that enough readings agree on is believed, and written to the source. */
async function followUp(tx: Db, source: Source, ended: Ended): Promise<'moved' | 'gone' | null> {
  if (isConfirmedEnd(ended)) {
    await setSourceStatus(tx, source.id, 'gone', ended.now);
    return 'gone';
  }
  const to = confirmedMove(ended);
  return to !== null && (await moveSource(tx, source.id, to, ended.now)) ? 'moved' : null;
}

function notesOf(result: Result, details: Details): readonly Note[] {
  if ('note' in result) return [result.note];
  if (result.kind === 'unchanged') return [];
  const left = details.left.size > 0 ? [note('left', String(details.left.size))] : [];
  return [...result.reading.warnings, ...details.warnings, ...left];
}

const NOTES_MAX = 8;
const VALUE_MAX = 300;
const MESSAGE_MAX = 1_000;

/** A text that PostgreSQL keeps, of a length that a page can show. */
const kept = (text: string, most: number) =>
  text.replaceAll('\0', '').slice(0, most).toWellFormed();

type Told = Pick<ReadingRow, 'outcome' | 'entries' | 'created' | 'changed'> & {
  readonly notes: readonly Note[];
};

async function record(world: World, tx: Db, attempt: Attempt, told: Told): Promise<ReadingRow> {
  const response = responseOf(attempt.fetched);
  const { outcome, entries, created, changed } = told;
  const notes = told.notes.slice(0, NOTES_MAX);
  const said = notes.map((one) => sayNote(one, 'en')).join('; ');
  const row: ReadingRow = {
    id: world.ids.next(),
    source_id: attempt.source.id,
    started_at: attempt.startedAt,
    duration_ms: world.clock.now() - attempt.startedAt,
    outcome,
    status: response?.status ?? null,
    bytes: response?.wireBytes ?? null,
    entries,
    created,
    changed,
    message: said === '' ? null : kept(said, MESSAGE_MAX),
    notes:
      notes.length === 0
        ? null
        : notes.map(({ code, values }) => ({
            code,
            values: values.map((value) => kept(value, VALUE_MAX)),
          })),
  };
  await insertReading(tx, row);
  return row;
}

const responseOf = (fetched: Fetched) => ('response' in fetched ? fetched.response : null);
