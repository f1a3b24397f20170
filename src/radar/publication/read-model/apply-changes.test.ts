import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicItem } from '../item.ts';
import { applyChanges } from './apply-changes.ts';
import { applyInSlices, buildReadModel } from './build-read-model.ts';
import { type ItemPageQuery, pageOf } from './page.ts';
import { emptyReadModel, itemOf, listOf, sizeOf } from './read-model.ts';

const now = Date.UTC(2026, 8, 23, 12);
const weekMs = 7 * DAY_MS;

function item(id: string, overrides: Partial<PublicItem> = {}): PublicItem {
  const timelineAt = overrides.timelineAt ?? now;
  return {
    id,
    title: `Title of ${id}`,
    originalTitle: null,
    summary: null,
    sourceName: 'Orrery Labs',
    originalUrl: `https://orrery.example/${id}`,
    publishedAt: null,
    discoveredAt: timelineAt,
    category: null,
    score: null,
    selected: true,
    reason: null,
    language: 'en',
    summaryBy: 'rules',
    storyId: null,
    timelineAt,
    ...overrides,
  };
}

const all: ItemPageQuery = {
  mode: 'all',
  category: null,
  by: 'timeline',
  window: '7d',
  q: null,
  limit: 100,
  anchor: null,
};

describe('a new read model', () => {
  it('replaces one chunk of a list for a change of one item and shares all others', () => {
    const upserts = Array.from({ length: 3_000 }, (_, index) =>
      item(`item-${index}`, { timelineAt: now - index * MINUTE_MS }),
    );
    const model = applyChanges(emptyReadModel(), { version: 1, upserts, removals: [] }, now);
    const changed = item('item-1500', {
      timelineAt: now - 1_500 * MINUTE_MS,
      summary: 'Changed.',
    });
    const next = applyChanges(model, { version: 2, upserts: [changed], removals: [] }, now);
    const filter = { by: 'timeline', mode: 'all', category: null } as const;
    const [before, after] = [listOf(model, filter), listOf(next, filter)];
    const sharedChunks = after.chunks.filter((chunk) => before.chunks.includes(chunk));
    expect(before.chunks.length).toBeGreaterThan(10);
    expect(sharedChunks.length).toBe(before.chunks.length - 1);
    expect(after.size).toBe(3_000);
    expect(after.chunks.flat().map((row) => row.item.id)).toEqual(upserts.map(({ id }) => id));
  });

  it('has the version of the change, and each item once in its current form', () => {
    const firstModel = applyChanges(
      emptyReadModel(),
      { version: 7, upserts: [item('a'), item('a', { title: 'Second' })], removals: [] },
      now,
    );
    const corrected = item('a', { title: 'Third', timelineAt: now - 5, selected: false });
    const secondModel = applyChanges(
      firstModel,
      { version: 8, upserts: [corrected], removals: [] },
      now,
    );
    expect([firstModel.version, itemOf(firstModel, 'a')?.title, sizeOf(firstModel)]).toEqual([
      7,
      'Second',
      1,
    ]);
    expect([secondModel.version, itemOf(secondModel, 'a'), sizeOf(secondModel)]).toEqual([
      8,
      corrected,
      1,
    ]);
    expect(pageOf(secondModel, all, now)).toMatchObject({ items: [corrected] });
    expect(pageOf(secondModel, { ...all, mode: 'selected' }, now)).toMatchObject({ items: [] });
  });

  it('omits a removed item that is also upserted', () => {
    const firstModel = applyChanges(
      emptyReadModel(),
      { version: 1, upserts: [item('a'), item('b')], removals: [] },
      now,
    );
    const changes = { version: 2, upserts: [item('a')], removals: ['a', 'never-there'] };
    const secondModel = applyChanges(firstModel, changes, now);
    expect([itemOf(secondModel, 'a'), sizeOf(secondModel)]).toEqual([null, 1]);
    expect(itemOf(firstModel, 'a')).toEqual(item('a'));
  });

  it('drops an item one hour after it left both windows, not earlier', () => {
    const upserts = [
      item('old', { timelineAt: now - weekMs }),
      item('published', { timelineAt: now - weekMs, publishedAt: now }),
      item('gone', { timelineAt: now - weekMs - HOUR_MS - 1 }),
    ];
    const firstModel = applyChanges(emptyReadModel(), { version: 1, upserts, removals: [] }, now);
    expect(['old', 'published', 'gone'].map((id) => itemOf(firstModel, id)?.id)).toEqual([
      'old',
      'published',
      undefined,
    ]);
    const none = { version: 2, upserts: [], removals: [] };
    expect(sizeOf(applyChanges(firstModel, none, now + HOUR_MS))).toBe(2);
    const later = applyChanges(firstModel, none, now + HOUR_MS + 60_000);
    expect([itemOf(later, 'old'), itemOf(later, 'published')?.id]).toEqual([null, 'published']);
  });

  it('drops an item that a correction moves out of the window', () => {
    const firstModel = applyChanges(
      emptyReadModel(),
      { version: 1, upserts: [item('a')], removals: [] },
      now,
    );
    const upserts = [item('a', { timelineAt: now - 2 * weekMs })];
    const secondModel = applyChanges(firstModel, { version: 2, upserts, removals: [] }, now);
    expect([sizeOf(secondModel), secondModel.lists.size]).toEqual([0, 0]);
  });
});

describe('a large change', () => {
  const items = Array.from({ length: 3000 }, (_, index) =>
    item(`id-${index}`, { timelineAt: now - ((index * 7919) % 3000) * 60_000 }),
  );

  it('equals the change applied at once, and yields to other work', async () => {
    let turns = 0;
    let isDone = false;
    const countTurn = () => {
      turns++;
      if (!isDone) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const built = await buildReadModel(3, items, now);
    isDone = true;
    const atOnce = applyChanges(
      emptyReadModel(),
      { version: 3, upserts: items, removals: [] },
      now,
    );
    expect(turns).toBeGreaterThan(20);
    expect([built.version, sizeOf(built)]).toEqual([3, 3000]);
    for (const at of [0, 500, 2999]) {
      const query = { ...all, anchor: { at: now - at * 60_000, id: 'id-1' } };
      expect(pageOf(built, query, now)).toEqual(pageOf(atOnce, query, now));
    }
  });

  it('removes an item that it also upserts, in any slice', async () => {
    const removals = items.map(({ id }) => id).reverse();
    const built = await applyInSlices(
      emptyReadModel(),
      { version: 4, upserts: items, removals },
      now,
    );
    expect([built.version, sizeOf(built)]).toEqual([4, 0]);
    const empty = await applyInSlices(built, { version: 5, upserts: [], removals: [] }, now);
    expect([empty.version, sizeOf(empty)]).toEqual([5, 0]);
  });
});
