// Ingests a batch of pushed entries like fetched ones, all or none. Repeating the same batch
// changes nothing.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { readFetchState, saveFetchState } from '../../../store/radar/sources/fetch-states.ts';
import { insertFetch } from '../../../store/radar/sources/fetches.ts';
import { lockSource, markSourceVerified } from '../../../store/radar/sources/sources.ts';
import { type IngestResult, ingestEntries } from './ingest-entries.ts';
import { parsePushedBatch } from './pushed-batch.ts';

export type PushResult =
  | {
      readonly kind: 'ingested';
      readonly created: number;
      readonly updated: number;
      readonly unchanged: number;
    }
  /** One line per problem, with row and field; nothing was written. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'paused' }
  /** The batch names a source other than the token's. */
  | { readonly kind: 'other_source' };

/** `sourceId`: the source to which the request's token belongs. `json`: the parsed body. */
export async function ingestPush(
  world: World,
  db: Db,
  { sourceId, json }: { readonly sourceId: string; readonly json: unknown },
): Promise<PushResult> {
  const batch = parsePushedBatch(json);
  if (batch.kind !== 'batch') return batch;
  if (batch.source !== sourceId) return { kind: 'other_source' };
  const startedAt = world.clock.now();
  return inTransaction(db, async (tx) => {
    const source = await lockSource(tx, sourceId);
    if (source?.status !== 'active') return { kind: 'paused' };
    // Pushed entries are not treated as old entries of a first import. Their own dates show whether
    // they are old.
    const { entries } = batch;
    const ingestResult = await ingestEntries(world, tx, source, { entries, isBackfill: false });
    await markSourceVerified(tx, sourceId, startedAt);
    await recordPush(world, tx, { sourceId, startedAt, ingestResult });
    const { created, changed, unchanged } = ingestResult;
    return { kind: 'ingested', created, updated: changed, unchanged };
  });
}

type PushAttempt = {
  readonly sourceId: string;
  readonly startedAt: number;
  readonly ingestResult: IngestResult;
};

async function recordPush(
  world: World,
  tx: Db,
  { sourceId, startedAt, ingestResult }: PushAttempt,
) {
  const { entries, created, changed } = ingestResult;
  const now = world.clock.now();
  const fetchState = await readFetchState(tx, sourceId);
  const imported_at = fetchState.imported_at ?? now;
  await saveFetchState(tx, { ...fetchState, imported_at, last_success_at: now });
  await insertFetch(tx, {
    id: world.ids.next(),
    source_id: sourceId,
    started_at: startedAt,
    duration_ms: now - startedAt,
    outcome: created + changed > 0 ? 'read' : 'unchanged',
    status: null,
    bytes: null,
    entries,
    created,
    changed,
    message: null,
    notes: null,
  });
}
