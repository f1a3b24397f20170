// Items published by the application's own rules: stored, enriched, grouped and published, without
// a fetch.
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';

const SOURCE = 'the-press';

export type Publisher = {
  /** Publishes one selected item in a group of its own; returns its id. `at`: its discovery. */
  publish(title: string, at?: number): Promise<string>;
};

export async function openPublisher(world: World, db: Db): Promise<Publisher> {
  const source = { id: SOURCE, name: 'The Press', owner: 'The Press', language: 'en' } as const;
  await addSource(world, db, {
    ...source,
    tier: 'T1',
    kind: 'push',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: {},
  });
  return publisherOn(world, db);
}

/** The source exists already, because the database is a copy. */
export function publisherOn(world: World, db: Db): Publisher {
  return {
    publish: (title, at = world.clock.now()) =>
      inTransaction(db, async (tx) => {
        const id = world.ids.next();
        await insertItem(tx, storedItem(id, title, at));
        await insertGroups(tx, [{ id, first_appeared_at: at, representative_id: null }]);
        await joinGroups(tx, new Map([[id, id]]));
        await saveEnrichments(tx, [enrichmentOf(id, title, at)]);
        await publishGroups(world, tx, [id]);
        return id;
      }),
  };
}

function storedItem(id: string, title: string, at: number) {
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
    published_at: at,
    discovered_at: at,
    updated_at: at,
    content_hash: id,
    revision: 1,
    is_backfill: false,
    awaits_desk_since: null,
  };
}

function enrichmentOf(id: string, title: string, at: number) {
  return {
    item_id: id,
    desk_version: 'test',
    judged_at: at,
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
