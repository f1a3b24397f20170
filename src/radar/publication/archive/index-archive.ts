// Indexes the words of public items for the archive search. It runs in the worker and follows the
// publication log. Items that were public before the index existed are indexed in batches.
import { openPoller } from '../../../kernel/concurrency/poller.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { isConsumerBehind, readNextBatch } from '../../../store/notifications/log-consumers.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { listen } from '../../../store/platform/notifications.ts';
import {
  clearArchiveIndex,
  deleteArchiveTerms,
  listItemsWithoutTerms,
  saveArchiveTerms,
} from '../../../store/radar/publication/archive-index.ts';
import {
  listPublicItemRows,
  type PublicItemRow,
} from '../../../store/radar/publication/public-items.ts';
import { PUBLICATION_CHANNEL } from '../../../store/radar/publication/publication-head.ts';
import { fromPublicRow } from '../public-row.ts';
import { searchTextOf } from '../search/match.ts';
import { findTerms } from './terms.ts';

const CONSUMER = 'archive';
const BATCH_SIZE = 500;
const POLL_INTERVAL_MS = 30_000;

export type ArchiveIndexer = { close(): Promise<void> };

export function openArchiveIndexer(world: World, db: Db): ArchiveIndexer {
  /** Items after this id may be missing from the index; null: no item is missing. */
  let fillAfterId: string | null = '';
  const poller = openPoller(world, {
    taskName: 'the archive index',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: async () => null,
    poll: async (signal) => {
      while (!signal.aborted && (await isConsumerBehind(db, CONSUMER))) {
        const indexed = await indexBatch(world, db);
        if (indexed === 'restored') fillAfterId = '';
        if (indexed !== 'more') break;
      }
      while (!signal.aborted && fillAfterId !== null)
        fillAfterId = await fillBatch(db, fillAfterId);
    },
  });
  const listener = listen(
    world,
    db,
    { channel: PUBLICATION_CHANNEL, applicationName: 'radar archive index' },
    poller.wake,
  );
  return {
    close: async () => {
      await poller.close();
      await listener.close();
    },
  };
}

/** Indexes the items of one batch of the log. After a database restore it empties the index. */
export function indexBatch(world: World, db: Db): Promise<'more' | 'done' | 'restored'> {
  return inTransaction(db, async (tx) => {
    const batch = await readNextBatch(world, tx, CONSUMER);
    if (batch === null) return 'done';
    if (batch.isRestored) {
      await clearArchiveIndex(tx);
      return 'restored';
    }
    const ids = batch.entries.flatMap(({ kind, key }) => (kind === 'item' ? [key] : []));
    const rows = await listPublicItemRows(tx, ids);
    const publicIds = new Set(rows.map(({ id }) => id));
    await saveArchiveTerms(tx, rows.map(termsOfRow), 'all');
    await deleteArchiveTerms(
      tx,
      ids.filter((id) => !publicIds.has(id)),
    );
    return batch.hasMore ? 'more' : 'done';
  });
}

/**
 * Indexes a batch of items that are missing from the index. Returns the id after which the next
 * batch starts; null: no item is missing.
 */
export async function fillBatch(db: Db, afterId: string): Promise<string | null> {
  const rows = await listItemsWithoutTerms(db, afterId, BATCH_SIZE);
  await saveArchiveTerms(db, rows.map(termsOfRow), 'missing');
  return rows.length < BATCH_SIZE ? null : (rows.at(-1)?.id ?? null);
}

const termsOfRow = (row: PublicItemRow) => ({
  id: row.id,
  at: row.timeline_at,
  terms: findTerms(searchTextOf(fromPublicRow(row))),
});
