// Everything an operator asks of one source: what it is, how reading it went, what it yielded.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { readingPosition } from '../../store/radar/sources/fetch-states.ts';
import { latestReadings, readingDays, recentReadings } from '../../store/radar/sources/fetches.ts';
import { findSource } from '../../store/radar/sources/sources.ts';
import { readNotes } from './fetch/fetch-warning.ts';
import { definitionOf } from './stored-source.ts';

const READINGS = 30;

export type SourceRecord = Exclude<Awaited<ReturnType<typeof sourceRecord>>, null>;

/** Null when there is no such source. Instants are epoch milliseconds; the last day is today. */
export async function sourceRecord(db: Db, id: string, now: number, days: number) {
  const row = await findSource(db, id);
  if (row === null) return null;
  const position = await readingPosition(db, id);
  return {
    definition: definitionOf(row),
    version: row.version,
    status: row.status,
    addedAt: row.created_at,
    failures: position.failures,
    lastSuccessAt: position.last_success_at,
    nextReadAt: position.next_read_at,
    days: spans(await readingDays(db, now - days * DAY_MS, id), days),
    readings: (await latestReadings(db, id, READINGS)).map(toReading),
  };
}

export type ReadingSpan = {
  readonly readings: number;
  readonly failures: number;
  readonly created: number;
};

const none: ReadingSpan = { readings: 0, failures: 0, created: 0 };

function spans(
  rows: readonly (ReadingSpan & { readonly day: number })[],
  days: number,
): readonly ReadingSpan[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_none, day) => byDay.get(day) ?? none);
}

/** How reading went lately, source by source; sources without a reading are absent. */
export async function readingSpans(
  db: Db,
  now: number,
  days: number,
): Promise<ReadonlyMap<string, readonly ReadingSpan[]>> {
  const rows = await readingDays(db, now - days * DAY_MS, null);
  const bySource = Map.groupBy(rows, (row) => row.sourceId);
  return new Map([...bySource].map(([id, of]) => [id, spans(of, days)]));
}

type Row = Awaited<ReturnType<typeof recentReadings>>[number];

const toReading = (row: Row) => ({
  sourceId: row.source_id,
  at: row.started_at,
  durationMs: row.duration_ms,
  outcome: row.outcome,
  status: row.status,
  entries: row.entries,
  created: row.created,
  changed: row.changed,
  /** In English; all that readings before notes have. */
  message: row.message,
  notes: readNotes(row.notes),
});

export type Reading = ReturnType<typeof toReading>;

/** Of every source, newest first. */
export async function lastReadings(db: Db, limit: number): Promise<readonly Reading[]> {
  return (await recentReadings(db, limit)).map(toReading);
}
