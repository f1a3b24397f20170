// Publishes enriched items. Waiting batches of several sources are published in one transaction,
// because each transaction delays all other publishers.
import { openBatchQueue } from '../../kernel/concurrency/batch-queue.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import type { DuplicateKeys } from '../../store/radar/sources/duplicate-groups.ts';
import { type NewEnrichment, saveEnrichments } from '../../store/radar/sources/item-enrichments.ts';
import {
  markEnriched,
  readAwaitingRevisions,
  type StoredItem,
} from '../../store/radar/sources/items.ts';
import { lockSources } from '../../store/radar/sources/sources.ts';
import { queueStoryAssignments } from '../../store/radar/stories/story-queue.ts';
import { assignDuplicateGroups } from './duplicates/assign-duplicate-groups.ts';
import type { EnrichmentRecord } from './model/enrichment-steps.ts';

export type EnrichedItem = {
  readonly item: StoredItem;
  readonly article: string | null;
  readonly duplicateKeys: DuplicateKeys;
  readonly enrichmentRecord: EnrichmentRecord;
  readonly language: string;
  /** Number of removed instructions to machines, and whether the title had one. */
  readonly instructions: number;
  readonly hasTitleInstruction: boolean;
};

export type EnrichedBatch = {
  readonly sourceId: string;
  readonly enriched: readonly EnrichedItem[];
  /** Called for each item that cannot be published. */
  readonly onFailure: (item: StoredItem) => void;
};

export type ItemPublisher = {
  /** Returns the number of published items. */
  publish(batch: EnrichedBatch): Promise<number>;
  /**
   * Resolves when no transaction of this publisher holds the publication lock. Callers await it
   * before a long computation, which would delay this transaction and all other publishers.
   */
  waitForLockRelease(): Promise<void>;
};

export type ItemPublisherDeps = {
  /** The item's own time in the timeline, epoch milliseconds. */
  readonly timelineAt: (item: StoredItem) => number;
  /** Publishes groups in the given transaction. */
  readonly publish: (world: World, tx: Db, groupIds: readonly string[]) => Promise<unknown>;
};

/** Limits of one transaction. They bound the time that other publishers wait for its lock. */
const MAX_SOURCES = 40;
const MAX_ITEMS = 40;

export function openItemPublisher(world: World, db: Db, deps: ItemPublisherDeps): ItemPublisher {
  let lockRelease: Promise<void> = Promise.resolve();
  const publishTogether = async (batches: readonly EnrichedBatch[]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onLock = () => {
      lockRelease = promise;
    };
    try {
      return await inTransaction(db, (tx) => publishAll(world, tx, { ...deps, onLock }, batches));
    } finally {
      resolve();
    }
  };
  /** After a failure, items are published one by one, so that only failing items are left out. */
  const publishAlone = async (batch: EnrichedBatch): Promise<number> => {
    const { sourceId, enriched, onFailure } = batch;
    let publishedCount = 0;
    for (const enrichedItem of enriched) {
      try {
        publishedCount +=
          (await publishTogether([{ sourceId, enriched: [enrichedItem], onFailure }]))[0] ?? 0;
      } catch (error) {
        const fields = { item: enrichedItem.item.id, source: sourceId, error: messageOf(error) };
        world.log.error(fields, 'an item cannot be published; the next run tries again');
        onFailure(enrichedItem.item);
      }
    }
    return publishedCount;
  };
  const publish = openBatchQueue().addQueue<EnrichedBatch, number>({
    maxInputs: MAX_SOURCES,
    sizeOf: ({ enriched }) => enriched.length,
    maxSize: MAX_ITEMS,
    run: async (batches) => {
      try {
        return await publishTogether(batches);
      } catch {
        const counts: number[] = [];
        for (const batch of batches) counts.push(await publishAlone(batch));
        return counts;
      }
    },
  });
  return {
    publish: async (batch) => (batch.enriched.length === 0 ? 0 : publish(batch)),
    waitForLockRelease: () => lockRelease,
  };
}

/** Returns the number of published items of each batch. */
async function publishAll(
  world: World,
  tx: Db,
  deps: ItemPublisherDeps & { readonly onLock: () => void },
  batches: readonly EnrichedBatch[],
): Promise<readonly number[]> {
  const enriched = batches.flatMap((batch) => batch.enriched);
  // Lock order everywhere: sources, their items, publication.
  await lockSources(
    tx,
    batches.map(({ sourceId }) => sourceId),
  );
  // Another worker may have enriched some items, and an edit may have created a newer revision.
  const awaitingRevisions = await readAwaitingRevisions(
    tx,
    enriched.map(({ item }) => item.id),
  );
  const isCurrent = ({ item }: EnrichedItem) => awaitingRevisions.get(item.id) === item.revision;
  const current = enriched.filter(isCurrent);
  if (current.length > 0) {
    await storeEnrichments(tx, current, world.clock.now());
    // Other publishers wait from here on.
    await lockPublication(world, tx);
    deps.onLock();
    await queueStoryAssignments(
      tx,
      current.map(({ item }) => item.id),
    );
    const groups = await assignDuplicateGroups(
      world,
      tx,
      current.map(({ item, duplicateKeys }) => ({
        keys: duplicateKeys,
        timelineAt: deps.timelineAt(item),
      })),
    );
    await deps.publish(world, tx, [...groups]);
  }
  return batches.map((batch) => batch.enriched.filter(isCurrent).length);
}

async function storeEnrichments(
  tx: Db,
  enriched: readonly EnrichedItem[],
  now: number,
): Promise<void> {
  await saveEnrichments(
    tx,
    enriched.map((enrichedItem) => enrichmentRow(enrichedItem, now)),
  );
  await markEnriched(tx, new Map(enriched.map(({ item, article }) => [item.id, article])));
}

function enrichmentRow(
  { item, enrichmentRecord, language, instructions, hasTitleInstruction }: EnrichedItem,
  now: number,
): NewEnrichment {
  const { enrichment, version, record } = enrichmentRecord;
  return {
    item_id: item.id,
    desk_version: version,
    judged_at: now,
    title: enrichment.title,
    original_title: enrichment.originalTitle,
    summary: enrichment.summary,
    category: enrichment.category,
    score: enrichment.score,
    is_worthy: enrichment.isWorthy && !isUndatedImport(item),
    reason: enrichment.reason,
    summary_by: enrichment.summaryBy,
    language,
    model_record: record,
    orders: instructions,
    withholds_title: hasTitleInstruction,
  };
}

/** An undated entry of a first import may be years old. It is listed and never selected. */
const isUndatedImport = (item: StoredItem) => item.is_backfill && item.published_at === null;
