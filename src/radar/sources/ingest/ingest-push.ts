// A batch of entries that its owner pushes: the same way into the house as what is read, all of it
// or nothing. The same batch again changes nothing.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { readingPosition, saveReadingPosition } from '../../../store/radar/sources/fetch-states.ts';
import { insertReading } from '../../../store/radar/sources/fetches.ts';
import { lockSource, markSourceVerified } from '../../../store/radar/sources/sources.ts';
import { type Taken, takeEntries } from './ingest-entries.ts';
import { readBatch } from './pushed-batch.ts';

export type Pushed =
  | {
      readonly kind: 'taken';
      readonly created: number;
      readonly updated: number;
      readonly unchanged: number;
    }
  /** One line each, naming row and field; nothing was written. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'paused' }
  /** The batch is for another source than the one whose token opened the door. */
  | { readonly kind: 'other_source' };

/** `sourceId`: whose token it is. `json`: the body, parsed. */
export async function takePushed(
  world: World,
  db: Db,
  { sourceId, json }: { readonly sourceId: string; readonly json: unknown },
): Promise<Pushed> {
  const batch = readBatch(json);
  if (batch.kind !== 'batch') return batch;
  if (batch.source !== sourceId) return { kind: 'other_source' };
  const startedAt = world.clock.now();
  return inTransaction(db, async (tx) => {
    const source = await lockSource(tx, sourceId);
    if (source?.status !== 'active') return { kind: 'paused' };
    // Never a first import: whoever pushes says what is news, by its date.
    const { entries } = batch;
    const taken = await takeEntries(world, tx, source, { entries, isBackfill: false });
    await markSourceVerified(tx, sourceId, startedAt);
    await writeDown(world, tx, { sourceId, startedAt, taken });
    const { created, changed, unchanged } = taken;
    return { kind: 'taken', created, updated: changed, unchanged };
  });
}

type Attempt = { readonly sourceId: string; readonly startedAt: number; readonly taken: Taken };

async function writeDown(world: World, tx: Db, { sourceId, startedAt, taken }: Attempt) {
  const { entries, created, changed } = taken;
  const now = world.clock.now();
  const position = await readingPosition(tx, sourceId);
  const imported_at = position.imported_at ?? now;
  await saveReadingPosition(tx, { ...position, imported_at, last_success_at: now });
  await insertReading(tx, {
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
