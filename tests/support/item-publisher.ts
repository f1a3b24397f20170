// Publishes items by the application's own rules: stores, enriches, groups and publishes them,
// without a fetch.
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';

const SOURCE = 'the-press';

export type ItemPublisher = {
  /** Publishes one selected item in a group of its own and returns its id. */
  publish(title: string, discoveredAt?: number): Promise<string>;
};

export async function openItemPublisher(world: World, db: Db): Promise<ItemPublisher> {
  const source = { id: SOURCE, name: 'The Press', owner: 'The Press', language: 'en' } as const;
  await addSource(world, db, {
    ...source,
    tier: 'T1',
    kind: 'push',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: {},
  });
  return itemPublisherFor(world, db);
}

/** A publisher for a copied database, which already contains the source. */
export function itemPublisherFor(world: World, db: Db): ItemPublisher {
  return {
    publish: (title, discoveredAt = world.clock.now()) =>
      inTransaction(db, async (tx) => {
        const id = world.ids.next();
        await insertItem(tx, storedItem(id, title, discoveredAt));
        await insertGroups(tx, [{ id, first_appeared_at: discoveredAt, representative_id: null }]);
        await joinGroups(tx, new Map([[id, id]]));
        await saveEnrichments(tx, [enrichmentOf(id, title, discoveredAt)]);
        await publishGroups(world, tx, [id]);
        return id;
      }),
  };
}

function storedItem(id: string, title: string, discoveredAt: number) {
  const url = `https://press.example/${id}`;
  return {
    id,
    source_id: SOURCE,
    entry_key: id,
    url,
    canonical_url: url,
    title,
    summary: '',
    content: '',
    article: null,
    author: null,
    language: 'en',
    published_at: discoveredAt,
    discovered_at: discoveredAt,
    updated_at: discoveredAt,
    content_hash: id,
    revision: 1,
    is_backfill: false,
    awaits_desk_since: null,
  };
}

function enrichmentOf(id: string, title: string, discoveredAt: number) {
  return {
    item_id: id,
    desk_version: 'test',
    judged_at: discoveredAt,
    title,
    original_title: null,
    summary: `${title}, in a sentence.`,
    category: 'industry',
    score: 80,
    is_worthy: true,
    reason: 'A reason',
    summary_by: 'rules' as const,
    language: 'en',
  };
}
