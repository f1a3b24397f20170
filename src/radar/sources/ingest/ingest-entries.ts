// Stores the entries of one fetch as items, all or none. New items are inserted, edited items are
// replaced, and unchanged items are not written. The source's lock serializes concurrent calls.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  editItem,
  insertItem,
  type KnownItem,
  listItemsTitled,
  listKnownItems,
} from '../../../store/radar/sources/items.ts';
import { lockSource, type StoredSource } from '../../../store/radar/sources/sources.ts';
import type { ParsedEntry } from '../parse/entry.ts';
import { type ItemDraft, toDrafts } from './entry-to-item.ts';
import { correctDate, matchDrafts, type TextCandidate } from './match-drafts.ts';

/** Numbers of entries, without repeated ones. */
export type IngestResult = {
  readonly entries: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
};

export type IngestBatch = {
  readonly entries: readonly ParsedEntry[];
  /** The same entries, completed from their own pages. */
  readonly completedEntries?: ReadonlyMap<ParsedEntry, ParsedEntry>;
  /**
   * True when this is the source's first import. Its entries are old, although they are new to the
   * radar.
   */
  readonly isBackfill: boolean;
};

/** Runs in the caller's transaction. */
export async function ingestEntries(
  world: World,
  tx: Db,
  source: StoredSource,
  batch: IngestBatch,
): Promise<IngestResult> {
  await lockSource(tx, source.id);
  const now = world.clock.now();
  const drafts = toDrafts(batch.entries, source.url, batch.completedEntries);
  const storedItems = await listKnownItems(
    tx,
    source.id,
    drafts.map((draft) => draft.entryKey),
    drafts.map((draft) => draft.canonicalUrl),
  );
  // A pushed batch is not a complete list, so a missing address does not mean that an item moved.
  const sameTitleItems =
    source.kind === 'push' ? [] : await findSameTitles(tx, source.id, drafts, storedItems);
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const match of matchDrafts(drafts, storedItems, sameTitleItems)) {
    counts[match.kind] += 1;
    if (match.kind === 'new') {
      await insertItem(tx, newItem(world, source, match.draft, batch.isBackfill));
    } else if (match.kind === 'changed') {
      const { draft, item } = match;
      const published_at = correctDate(draft.publishedAt, item.published_at);
      await editItem(tx, item.id, { ...toColumns(draft), published_at }, now);
    }
  }
  return {
    entries: drafts.length,
    created: counts.new,
    changed: counts.changed,
    unchanged: counts.unchanged,
  };
}

/**
 * Reads stored items with the titles of new entries. Only these few items need their long texts.
 */
async function findSameTitles(
  tx: Db,
  sourceId: string,
  drafts: readonly ItemDraft[],
  storedItems: readonly KnownItem[],
): Promise<readonly TextCandidate[]> {
  const titles = matchDrafts(drafts, storedItems).flatMap(({ kind, draft }) =>
    kind === 'new' && draft.title !== '' ? draft.title : [],
  );
  return titles.length === 0 ? [] : listItemsTitled(tx, sourceId, titles);
}

function newItem(world: World, source: StoredSource, draft: ItemDraft, isBackfill: boolean) {
  const now = world.clock.now();
  return {
    ...toColumns(draft),
    id: world.ids.next(),
    source_id: source.id,
    article: null,
    published_at: draft.publishedAt,
    discovered_at: now,
    updated_at: now,
    revision: 1,
    is_backfill: isBackfill,
    awaits_desk_since: now,
  };
}

function toColumns(draft: ItemDraft) {
  return {
    entry_key: draft.entryKey,
    url: draft.url,
    canonical_url: draft.canonicalUrl,
    title: draft.title,
    summary: draft.summary,
    content: draft.content,
    author: draft.author,
    language: draft.language,
    content_hash: draft.contentHash,
  };
}
