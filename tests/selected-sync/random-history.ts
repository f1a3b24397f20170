// A random history of the selected set: items appear, change, move between groups, are withdrawn
// and restored while mirrors page through it. One seed gives one history.

import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { lockPublication } from '../../src/store/radar/publication/publication-head.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';

export type RandomHistory = {
  /** Applies one random event. */
  step(): Promise<void>;
  /** Withdraws all items, so the next history starts from an empty set. */
  withdrawAll(): Promise<void>;
};

type HistoryItem = { id: string; group: string; isWithdrawn: boolean; isWorthy: boolean };

export function openRandomHistory(
  world: World,
  db: Db,
  sourceIds: readonly string[],
  seed: number,
): RandomHistory {
  const random = seededRandom(seed);
  const items: HistoryItem[] = [];
  const pickOne = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;

  const enrichItem = (item: HistoryItem) =>
    inTransaction(db, async (tx) => {
      await lockPublication(world, tx);
      await saveEnrichments(tx, [enrichmentOf(world, item, Math.floor(random.next() * 1e9))]);
      await publishGroups(world, tx, [item.group]);
    });

  const addItem = () =>
    inTransaction(db, async (tx) => {
      await lockPublication(world, tx);
      const isCopy = items.length > 0 && random.next() < 0.4;
      const id = world.ids.next();
      const group = isCopy ? pickOne(items).group : world.ids.next();
      const item = { id, group, isWithdrawn: false, isWorthy: random.next() < 0.8 };
      await insertItem(tx, storedItem(world, id, pickOne(sourceIds)));
      if (!isCopy) {
        const first_appeared_at = world.clock.now();
        await insertGroups(tx, [{ id: group, first_appeared_at, representative_id: null }]);
      }
      await joinGroups(tx, new Map([[id, group]]));
      await saveEnrichments(tx, [enrichmentOf(world, item, 0)]);
      await publishGroups(world, tx, [group]);
      items.push(item);
    });

  const withdrawItem = async (item: HistoryItem, action: 'withdraw' | 'restore') => {
    await changeItem(world, db, item.id, { action, actor: 'test', note: null });
    item.isWithdrawn = action === 'withdraw';
  };

  const correctItem = async (item: HistoryItem) => {
    const title = random.next() < 0.3 ? null : `Corrected ${Math.floor(random.next() * 1e6)}`;
    const change = { action: 'correct', fields: { title } } as const;
    await changeItem(world, db, item.id, { ...change, actor: 'test', note: null });
  };

  return {
    step: async () => {
      const chance = random.next();
      if (items.length === 0 || chance < 0.3) return addItem();
      const item = pickOne(items);
      if (chance < 0.5) return enrichItem(item);
      if (chance < 0.6) return correctItem(item);
      if (chance < 0.7) {
        item.isWorthy = !item.isWorthy;
        return enrichItem(item);
      }
      return withdrawItem(item, item.isWithdrawn ? 'restore' : 'withdraw');
    },
    withdrawAll: async () => {
      for (const item of items) if (!item.isWithdrawn) await withdrawItem(item, 'withdraw');
    },
  };
}

function storedItem(world: World, id: string, sourceId: string) {
  const now = world.clock.now();
  const url = `https://news.example/${id}`;
  return {
    id,
    source_id: sourceId,
    entry_key: id,
    url,
    canonical_url: url,
    title: `Title of ${id}`,
    summary: '',
    content: '',
    article: null,
    author: null,
    language: 'en',
    published_at: now - 60_000,
    discovered_at: now,
    updated_at: now,
    content_hash: id,
    revision: 1,
    is_backfill: false,
    awaits_desk_since: null,
  };
}

function enrichmentOf(world: World, item: HistoryItem, version: number) {
  return {
    item_id: item.id,
    desk_version: 'test',
    judged_at: world.clock.now(),
    title: `Title of ${item.id}`,
    original_title: null,
    summary: version % 3 === 0 ? null : `Version ${version}.`,
    category: 'industry',
    score: version % 101,
    is_worthy: item.isWorthy,
    reason: 'A reason',
    summary_by: 'rules' as const,
    language: 'en',
  };
}
