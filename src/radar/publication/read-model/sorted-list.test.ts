import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicItem } from '../item.ts';
import { applyChanges } from './apply-changes.ts';
import { emptyReadModel, listOf } from './read-model.ts';

const now = Date.UTC(2026, 8, 23, 12, 0, 30);

function item(index: number): PublicItem {
  const timelineAt = now - index * MINUTE_MS;
  return {
    id: `item-${index}`,
    title: `Title of ${index}`,
    originalTitle: null,
    summary: null,
    sourceName: 'Orrery Labs',
    originalUrl: `https://orrery.example/${index}`,
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
  };
}

it('a change of one item replaces one chunk of a list and shares all others', () => {
  const upserts = Array.from({ length: 3_000 }, (_, index) => item(index));
  const model = applyChanges(emptyReadModel(), { version: 1, upserts, removals: [] }, now);
  const changed = { ...item(1_500), summary: 'Changed.' };
  const next = applyChanges(model, { version: 2, upserts: [changed], removals: [] }, now);
  const filter = { by: 'timeline', mode: 'all', category: null } as const;
  const [before, after] = [listOf(model, filter), listOf(next, filter)];
  const shared = after.pieces.filter((piece) => before.pieces.includes(piece));
  expect(before.pieces.length).toBeGreaterThan(10);
  expect(shared.length).toBe(before.pieces.length - 1);
  expect(after.size).toBe(3_000);
  expect(after.pieces.flat().map((row) => row.item.id)).toEqual(upserts.map(({ id }) => id));
});
