// Reads the data of sources for operators: definition, state and fetch history.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { readFetchState } from '../../store/radar/sources/fetch-states.ts';
import {
  listFetchDays,
  listLatestFetchRows,
  listRecentFetches,
} from '../../store/radar/sources/fetches.ts';
import { findSource } from '../../store/radar/sources/sources.ts';
import { parseStoredWarnings } from './fetch/fetch-warning.ts';
import { definitionOf } from './stored-source.ts';

const FETCHES_SHOWN = 30;

export type SourceRecord = Exclude<Awaited<ReturnType<typeof readSourceRecord>>, null>;

/**
 * Null when there is no such source. Times are epoch milliseconds. `days` is the length of the
 * fetch history, whose last day is today.
 */
export async function readSourceRecord(db: Db, id: string, now: number, days: number) {
  const row = await findSource(db, id);
  if (row === null) return null;
  const fetchState = await readFetchState(db, id);
  return {
    definition: definitionOf(row),
    version: row.version,
    status: row.status,
    addedAt: row.created_at,
    failures: fetchState.failures,
    lastSuccessAt: fetchState.last_success_at,
    nextReadAt: fetchState.next_read_at,
    days: fetchSpans(await listFetchDays(db, now - days * DAY_MS, id), days),
    fetches: (await listLatestFetchRows(db, id, FETCHES_SHOWN)).map(toFetchRecord),
  };
}

export type FetchSpan = {
  readonly fetches: number;
  readonly failures: number;
  readonly created: number;
};

const emptySpan: FetchSpan = { fetches: 0, failures: 0, created: 0 };

function fetchSpans(
  rows: readonly (FetchSpan & { readonly day: number })[],
  days: number,
): readonly FetchSpan[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_none, day) => byDay.get(day) ?? emptySpan);
}

/** The fetch history per source. Sources without a fetch are absent. */
export async function readFetchSpans(
  db: Db,
  now: number,
  days: number,
): Promise<ReadonlyMap<string, readonly FetchSpan[]>> {
  const rows = await listFetchDays(db, now - days * DAY_MS, null);
  const bySource = Map.groupBy(rows, (row) => row.sourceId);
  return new Map([...bySource].map(([id, sourceSpans]) => [id, fetchSpans(sourceSpans, days)]));
}

type Row = Awaited<ReturnType<typeof listRecentFetches>>[number];

const toFetchRecord = (row: Row) => ({
  sourceId: row.source_id,
  at: row.started_at,
  durationMs: row.duration_ms,
  outcome: row.outcome,
  status: row.status,
  entries: row.entries,
  created: row.created,
  changed: row.changed,
  /** English text; the only text of fetches that were stored before warnings had codes. */
  message: row.message,
  notes: parseStoredWarnings(row.notes),
});

export type FetchRecord = ReturnType<typeof toFetchRecord>;

/** Fetches of all sources, newest first. */
export async function listLatestFetches(db: Db, limit: number): Promise<readonly FetchRecord[]> {
  return (await listRecentFetches(db, limit)).map(toFetchRecord);
}
