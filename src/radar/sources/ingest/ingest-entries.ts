// Entries become items, all of a reading or none: new ones are stored, edits replace, identical
// republications write nothing. Whoever else takes in this source's entries waits.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { editItem, insertItem, knownItems } from '../../../store/radar/sources/items.ts';
import { lockSource, type Source } from '../../../store/radar/sources/sources.ts';
import type { Entry } from '../parse/entry.ts';
import { type Draft, toDrafts } from './entry-to-item.ts';
import { believedDate, matchDrafts } from './match-drafts.ts';

export type Taken = {
  readonly entries: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
};

export type Brought = {
  readonly entries: readonly Entry[];
  /** The same entries with what their own pages add. */
  readonly detailed?: ReadonlyMap<Entry, Entry>;
  /** Whether this is the source's first import: none of it is news because we find it now. */
  readonly isBackfill: boolean;
};

/** Part of the caller's transaction. */
export async function takeEntries(
  world: World,
  tx: Db,
  source: Source,
  reading: Brought,
): Promise<Taken> {
  await lockSource(tx, source.id);
  const now = world.clock.now();
  const drafts = toDrafts(reading.entries, source.url, reading.detailed);
  const known = await knownItems(
    tx,
    source.id,
    drafts.map((draft) => draft.entryKey),
    drafts.map((draft) => draft.canonicalUrl),
  );
  const count = { new: 0, changed: 0, unchanged: 0 };
  for (const match of matchDrafts(drafts, known)) {
    count[match.kind] += 1;
    if (match.kind === 'new') {
      await insertItem(tx, newItem(world, source, match.draft, reading.isBackfill));
    } else if (match.kind === 'changed') {
      const { draft, item } = match;
      const published_at = believedDate(draft.publishedAt, item.published_at);
      await editItem(tx, item.id, { ...columns(draft), published_at }, now);
    }
  }
  return {
    entries: drafts.length,
    created: count.new,
    changed: count.changed,
    unchanged: count.unchanged,
  };
}

function newItem(world: World, source: Source, draft: Draft, isBackfill: boolean) {
  const now = world.clock.now();
  return {
    ...columns(draft),
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

function columns(draft: Draft) {
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
