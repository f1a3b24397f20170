// Fetches one source: requests, parses and ingests its document, updates the fetch state, and
// records the attempt. A failed attempt does not change the cache validators.
import { createHash } from 'node:crypto';
import type { Robots } from '../../../kernel/net/robots.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import {
  type FetchStateRow,
  readFetchState,
  saveFetchState,
} from '../../../store/radar/sources/fetch-states.ts';
import { type FetchRow, insertFetch } from '../../../store/radar/sources/fetches.ts';
import { listNewestPublications } from '../../../store/radar/sources/items.ts';
import {
  findSource,
  lockSource,
  markSourceVerified,
  moveSource,
  type StoredSource,
  setSourceStatus,
} from '../../../store/radar/sources/sources.ts';
import { ingestEntries } from '../ingest/ingest-entries.ts';
import type { ParsedFeed } from '../parse/entry.ts';
import { parseDocument } from '../parse/parse-document.ts';
import { definitionOf } from '../stored-source.ts';
import type { DetailPages } from './fetch-detail-pages.ts';
import { fetchMissingDetails, noDetailPages } from './fetch-missing-details.ts';
import { type FetchWarning, fetchWarning, formatWarning } from './fetch-warning.ts';
import { INTERVAL_SAMPLE } from './next-fetch.ts';
import {
  confirmedNewAddress,
  type FetchOutcome,
  isConfirmedGone,
  nextFetchState,
} from './next-fetch-state.ts';
import { requestSource, type SourceResponse } from './request-source.ts';

export type FetchSourceResult =
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'done'; readonly record: FetchRow };

export async function fetchSource(
  world: World,
  db: Db,
  robots: Robots,
  sourceId: string,
): Promise<FetchSourceResult> {
  const source = await findSource(db, sourceId);
  if (!source) return { kind: 'skipped', reason: 'no such source' };
  if (source.status !== 'active') return { kind: 'skipped', reason: source.status };
  if (source.kind === 'push') return { kind: 'skipped', reason: 'pushed, not fetched' };
  const state = await readFetchState(db, sourceId);
  const startedAt = world.clock.now();
  const response = await requestSource(world, robots, source, state);
  const result = await parseResponse(world, source, state, response);
  const details = await fetchDetails(world, db, robots, source, result);
  const attempt = { source, state, startedAt, response, result, details };
  const record = await inTransaction(db, (tx) => storeAttempt(world, tx, attempt));
  const fields = { source: source.id, outcome: record.outcome, created: record.created };
  world.log.info({ ...fields, changed: record.changed, message: record.message }, 'source fetched');
  return { kind: 'done', record };
}

type FetchedContent =
  | { readonly kind: 'read'; readonly feed: ParsedFeed; readonly bodyHash: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone' | 'failed' | 'refused'; readonly warning: FetchWarning };

async function parseResponse(
  world: World,
  source: StoredSource,
  state: FetchStateRow,
  sourceResponse: SourceResponse,
): Promise<FetchedContent> {
  switch (sourceResponse.kind) {
    case 'not_modified':
      return { kind: 'unchanged' };
    case 'gone':
      return { kind: 'gone', warning: fetchWarning('gone') };
    case 'failed':
    case 'refused':
      return { kind: sourceResponse.kind, warning: sourceResponse.warning };
    case 'document': {
      const { body, headers, url } = sourceResponse.response;
      const bodyHash = createHash('sha256').update(body).digest('base64url');
      if (bodyHash === state.body_hash) return { kind: 'unchanged' };
      const contentType = headers['content-type'] ?? null;
      const document = { bytes: body, contentType, url, now: world.clock.now() };
      const outcome = await parseDocument(definitionOf(source), document);
      return outcome.kind === 'read'
        ? { kind: 'read', feed: outcome.feed, bodyHash }
        : { kind: 'failed', warning: outcome.warning };
    }
  }
}

async function fetchDetails(
  world: World,
  db: Db,
  robots: Robots,
  source: StoredSource,
  result: FetchedContent,
): Promise<DetailPages> {
  const definition = definitionOf(source);
  if (result.kind !== 'read' || definition.kind !== 'web-list') return noDetailPages;
  const { settings } = definition;
  return fetchMissingDetails(world, db, robots, { source, settings, entries: result.feed.entries });
}

type FetchAttempt = {
  readonly source: StoredSource;
  /** The state before the request. */
  readonly state: FetchStateRow;
  readonly startedAt: number;
  readonly response: SourceResponse;
  readonly result: FetchedContent;
  readonly details: DetailPages;
};

/**
 * Runs in the caller's transaction. It first locks the source, so it reads the changes of a
 * concurrent fetch.
 */
async function storeAttempt(world: World, tx: Db, attempt: FetchAttempt): Promise<FetchRow> {
  const { result, details } = attempt;
  const source = await lockSource(tx, attempt.source.id);
  const state = await readFetchState(tx, attempt.source.id);
  const discardWarning = findDiscardWarning(attempt, source, state);
  if (discardWarning !== null || source === null) {
    const outcome = result.kind === 'read' ? 'unchanged' : result.kind;
    const warning = 'warning' in result ? result.warning : discardWarning;
    const warnings = warning === null ? [] : [warning];
    return insertRecord(world, tx, attempt, { outcome, ...noChanges, warnings });
  }
  const now = world.clock.now();
  const ingestResult =
    result.kind === 'read' ? await ingestAttempt(world, tx, attempt, state) : noChanges;
  if (result.kind === 'read') await markSourceVerified(tx, source.id, now);
  const fetchOutcome: FetchOutcome = {
    state,
    outcome: result.kind,
    response: responseRecordOf(attempt.response),
    bodyHash: result.kind === 'read' ? result.bodyHash : null,
    isPartial: details.deferredEntries.size > 0,
    now,
  };
  const confirmedChange = await applyConfirmedChange(tx, source, fetchOutcome);
  const publishedAts = await listNewestPublications(tx, source.id, INTERVAL_SAMPLE);
  const schedule = { publishedAts, intervalMs: source.interval_minutes * MINUTE_MS };
  await saveFetchState(
    tx,
    nextFetchState(fetchOutcome, { ...schedule, chance: world.random.next() }),
  );
  const warnings = warningsOf(result, details);
  return insertRecord(world, tx, attempt, {
    outcome: confirmedChange ?? result.kind,
    ...ingestResult,
    warnings,
  });
}

/**
 * Returns a warning when the result must be discarded: the source was stopped or moved, or another
 * fetch stored newer entries meanwhile. Otherwise null.
 */
function findDiscardWarning(
  attempt: FetchAttempt,
  source: StoredSource | null,
  state: FetchStateRow,
): FetchWarning | null {
  const before = attempt.state;
  if (source?.status !== 'active') return fetchWarning('stopped');
  if (source.url !== attempt.source.url) return fetchWarning('moved');
  const isSameState =
    before.last_success_at === state.last_success_at &&
    before.body_hash === state.body_hash &&
    before.etag === state.etag &&
    before.last_modified === state.last_modified;
  return isSameState ? null : fetchWarning('overtaken');
}

function ingestAttempt(world: World, tx: Db, attempt: FetchAttempt, state: FetchStateRow) {
  const { source, result, details } = attempt;
  const allEntries = result.kind === 'read' ? result.feed.entries : [];
  const entries = allEntries.filter((entry) => !details.deferredEntries.has(entry));
  const isBackfill = state.imported_at === null;
  return ingestEntries(world, tx, source, {
    entries,
    completedEntries: details.completedEntries,
    isBackfill,
  });
}

const noChanges = { entries: 0, created: 0, changed: 0 };

/** Applies a permanent redirect or a removal after enough consecutive fetches have confirmed it. */
async function applyConfirmedChange(
  tx: Db,
  source: StoredSource,
  outcome: FetchOutcome,
): Promise<'moved' | 'gone' | null> {
  if (isConfirmedGone(outcome)) {
    await setSourceStatus(tx, source.id, 'gone', outcome.now);
    return 'gone';
  }
  const newAddress = confirmedNewAddress(outcome);
  return newAddress !== null && (await moveSource(tx, source.id, newAddress, outcome.now))
    ? 'moved'
    : null;
}

function warningsOf(result: FetchedContent, details: DetailPages): readonly FetchWarning[] {
  if ('warning' in result) return [result.warning];
  if (result.kind === 'unchanged') return [];
  const deferralWarnings =
    details.deferredEntries.size > 0
      ? [fetchWarning('left', String(details.deferredEntries.size))]
      : [];
  return [...result.feed.warnings, ...details.warnings, ...deferralWarnings];
}

const WARNINGS_MAX = 8;
const VALUE_MAX = 300;
const MESSAGE_MAX = 1_000;

/** Removes NUL, which PostgreSQL refuses, and limits the length for display. */
const truncate = (text: string, max: number) =>
  text.replaceAll('\0', '').slice(0, max).toWellFormed();

type RecordCounts = Pick<FetchRow, 'outcome' | 'entries' | 'created' | 'changed'> & {
  readonly warnings: readonly FetchWarning[];
};

async function insertRecord(
  world: World,
  tx: Db,
  attempt: FetchAttempt,
  counts: RecordCounts,
): Promise<FetchRow> {
  const response = responseRecordOf(attempt.response);
  const { outcome, entries, created, changed } = counts;
  const warnings = counts.warnings.slice(0, WARNINGS_MAX);
  const message = warnings.map((warning) => formatWarning(warning, 'en')).join('; ');
  const row: FetchRow = {
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
    message: message === '' ? null : truncate(message, MESSAGE_MAX),
    notes:
      warnings.length === 0
        ? null
        : warnings.map(({ code, values }) => ({
            code,
            values: values.map((value) => truncate(value, VALUE_MAX)),
          })),
  };
  await insertFetch(tx, row);
  return row;
}

const responseRecordOf = (sourceResponse: SourceResponse) =>
  'response' in sourceResponse ? sourceResponse.response : null;
