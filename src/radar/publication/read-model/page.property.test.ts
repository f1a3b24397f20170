// A plain implementation of the same rules over a map of items is the oracle. The read model must
// return the same pages after any changes.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import { type PublicItem, publishedSortAt } from '../item.ts';
import { foldText } from '../search/fold.ts';
import { parseQuery } from '../search/query.ts';
import { applyChanges, type ReadModelChanges } from './apply-changes.ts';
import { type ItemPage, type ItemPageQuery, pageOf } from './page.ts';
import { emptyReadModel, type ReadModel, sizeOf } from './read-model.ts';

const start = Date.UTC(2026, 8, 23, 12, 0, 30);
const seed = randomInt(2 ** 31);

type Cut = readonly [number, number, number];

const wordCharacter = '[[\\p{L}\\p{N}\\p{M}]--[\\p{Variation_Selector}\\p{Me}]--__signs__]';
const signCharacter =
  '[[\\p{L}\\p{N}\\p{M}]&&[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}]]';

function naiveMatch(item: PublicItem, q: string): boolean {
  const fields = [item.title, item.originalTitle, item.summary, item.sourceName];
  const folded = fields.map((field) => foldText(field ?? ''));
  const parts = foldText(q).split(/\p{White_Space}/u);
  return parts.every((part) => {
    const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const hasSign = new RegExp(signCharacter, 'v').test(part);
    const before = `(?<!${wordCharacter.replace('__signs__', signCharacter)})`;
    const pattern = new RegExp(hasSign ? literal : before + literal, 'v');
    return folded.some((field) => pattern.test(field));
  });
}

function naivePage(items: Iterable<PublicItem>, query: ItemPageQuery, now: number): ItemPage {
  const windowMs = query.window === '24h' ? DAY_MS : 7 * DAY_MS;
  const cutoff = now - (now % MINUTE_MS) - windowMs;
  const sortAtOfItem = (item: PublicItem) =>
    query.by === 'timeline' ? item.timelineAt : publishedSortAt(item);
  const { anchor, q } = query;
  if (anchor !== null && anchor.at < cutoff) return { kind: 'anchor_expired' };
  const matchingItems = [...items]
    .filter((item) => sortAtOfItem(item) >= cutoff)
    .filter((item) => query.mode === 'all' || item.selected)
    .filter((item) => query.category === null || item.category === query.category)
    .filter((item) => q === null || naiveMatch(item, q.text))
    .sort(
      (a, b) =>
        sortAtOfItem(b) - sortAtOfItem(a) || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)),
    )
    .filter(
      (item) =>
        !anchor ||
        sortAtOfItem(item) < anchor.at ||
        (sortAtOfItem(item) === anchor.at && item.id < anchor.id),
    );
  const rows = matchingItems.slice(0, query.limit);
  const lastRow = rows.at(-1);
  const hasMore = matchingItems.length > rows.length;
  const nextAnchor = hasMore && lastRow ? { at: sortAtOfItem(lastRow), id: lastRow.id } : null;
  return { kind: 'page', items: rows, hasMore, nextAnchor };
}

// A small vocabulary, so that random texts match; it contains every unusual kind of character.
const fragments = fc.constantFrom(
  ...['gpt', 'GPT-5', 'model', 'modern', 'mode', 'Straße', 'STRASSE', 'a', 'b', 'ab', 'node.js'],
  ...['大模型', '模型', '大', '型大', '的', '𠮷', '𠮷大', '々'],
  ...['ー', 'モデル', 'ﾓﾃﾞ', '모델', '모'],
  ...[
    '⚡️',
    '🚀',
    '++',
    '(',
    ')',
    '-',
    '_',
    '’',
    '—',
    '、',
    'ΟΔΟΣ',
    'οδος',
    'İ',
    'i̇',
    'é',
    'e\u0301',
  ],
  ...['𝐀b', '𐐀bc', '𐐀𐐨', 'हिन्दी', '\u00ad', '１２', '12', 'superconductors', 'superconductivity'],
);
const spaces = fc.constantFrom('', '', ' ', ' ', '\u3000', '\n');
const text = fc
  .array(fc.tuple(fragments, spaces), { maxLength: 6 })
  .map((pieces) => pieces.flat().join(''));
const id = fc.constantFrom(...'ABCDEFab_-09'.split(''), ...['a1', 'a2', 'B1', 'B2', 'c1', 'c2']);
// Times that coincide with each other, the window's edges and the next minutes.
const time = fc
  .tuple(
    fc.constantFrom(0, 0, 1, 1, 2, 6, 7, 7, 8),
    fc.constantFrom(0, 1, 30_000, 59_999, MINUTE_MS),
  )
  .map(([days, ms]) => start - days * DAY_MS + ms - 30_000);
const item: fc.Arbitrary<PublicItem> = fc.record({
  id,
  title: text,
  originalTitle: fc.option(text),
  summary: fc.option(text),
  sourceName: fc.constantFrom('Orrery Labs', '某某实验室', 'a'),
  originalUrl: fc.constant('https://orrery.example/'),
  publishedAt: fc.option(time),
  discoveredAt: time,
  category: fc.constantFrom(null, 'paper', 'tip', 'all'),
  score: fc.constant(null),
  selected: fc.boolean(),
  reason: fc.constant(null),
  language: fc.constant('en'),
  summaryBy: fc.constant('rules' as const),
  storyId: fc.constant(null),
  timelineAt: time,
});
const q = fc
  .array(text, { minLength: 1, maxLength: 3 })
  .map((texts) => parseQuery(texts.join(' ').slice(0, 60).toWellFormed()))
  .map((parsed) => (parsed.kind === 'query' ? parsed.query : null));
const query: fc.Arbitrary<ItemPageQuery> = fc.record({
  mode: fc.constantFrom('selected', 'all', 'all'),
  category: fc.constantFrom(null, null, 'paper', 'tip', 'none'),
  by: fc.constantFrom('timeline', 'published'),
  window: fc.constantFrom('24h', '7d', '7d'),
  q: fc.oneof(fc.constant(null), q, q, q),
  limit: fc.integer({ min: 1, max: 8 }),
  anchor: fc.option(fc.record({ at: time, id })),
});
// A random piece of an existing text, which may begin or end inside a word.
const cut = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 2, max: 12 }));

function cutQuery(
  items: ReadonlyMap<string, PublicItem>,
  [itemNumber, from, length]: Cut,
  baseQuery: ItemPageQuery,
) {
  const item = [...items.values()].sort((a, b) => (a.id < b.id ? -1 : 1))[
    itemNumber % (items.size || 1)
  ];
  const letters = Array.from(`${item?.title} ${item?.summary}`);
  const at = from % letters.length;
  const parsed = parseQuery(letters.slice(at, at + length).join(''));
  return { ...baseQuery, q: parsed.kind === 'query' ? parsed.query : null };
}

const step = fc.record({
  upserts: fc.array(item, { maxLength: 6 }),
  removals: fc.array(id, { maxLength: 2 }),
  laterMs: fc.constantFrom(0, 0, 1, 29_500, MINUTE_MS, 20 * MINUTE_MS, DAY_MS),
});

function applyToMap(items: Map<string, PublicItem>, changes: ReadModelChanges) {
  const next = new Map(items);
  for (const upsert of changes.upserts) next.set(upsert.id, upsert);
  for (const removal of changes.removals) next.delete(removal);
  return next;
}

describe(`pages and search equal a linear search (seed ${seed})`, () => {
  it('after any changes, while earlier read models stay unchanged', () => {
    const check = fc.property(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 4, maxLength: 8 }),
      fc.array(cut, { minLength: 4, maxLength: 8 }),
      (steps, queries, cuts) => {
        let now = start;
        let model: ReadModel = emptyReadModel();
        let items = new Map<string, PublicItem>();
        const pastModels: { model: ReadModel; items: Map<string, PublicItem>; now: number }[] = [];
        for (const [index, { upserts, removals, laterMs }] of steps.entries()) {
          now += laterMs;
          const changes = { version: index + 1, upserts, removals };
          model = applyChanges(model, changes, now);
          items = applyToMap(items, changes);
          pastModels.push({ model, items, now });
        }
        for (const state of pastModels) {
          const cutPages = cuts.map((cut, index) =>
            cutQuery(state.items, cut, queries[index % queries.length] as ItemPageQuery),
          );
          for (const query of [...queries, ...cutPages]) {
            const page = pageOf(state.model, query, state.now);
            expect(page).toEqual(naivePage(state.items.values(), query, state.now));
          }
        }
      },
    );
    fc.assert(check, { seed, numRuns: 400 });
  });

  it('when all pages are read one after another, with each row once', () => {
    const check = fc.property(fc.array(item, { maxLength: 30 }), query, (upserts, query) => {
      const model = applyChanges(emptyReadModel(), { version: 1, upserts, removals: [] }, start);
      const fullPage = pageOf(model, { ...query, anchor: null, limit: 100 }, start);
      const items: PublicItem[] = [];
      let anchor: ItemPageQuery['anchor'] = null;
      do {
        const page = pageOf(model, { ...query, anchor }, start);
        if (page.kind === 'anchor_expired') throw new Error('the anchor has expired');
        items.push(...page.items);
        anchor = page.nextAnchor;
      } while (anchor !== null);
      expect({ kind: 'page', items, hasMore: false, nextAnchor: null }).toEqual(fullPage);
    });
    fc.assert(check, { seed, numRuns: 200 });
  });

  it('after more changes than there are slots, in bounded memory', () => {
    const [sample] = fc.sample(fc.array(item, { minLength: 600, maxLength: 600 }), {
      seed,
      numRuns: 1,
    });
    const pool = sample ?? [];
    const [queries] = fc.sample(fc.array(query, { minLength: 12, maxLength: 12 }), {
      seed,
      numRuns: 1,
    });
    // Texts with many candidates. No item matches the first text.
    const common = ['orreryz', 'orrery labs', 'a('].map((text): ItemPageQuery => {
      const baseQuery = { mode: 'all', by: 'timeline', window: '7d', category: null } as const;
      const parsed = parseQuery(text);
      const q = parsed.kind === 'query' ? parsed.query : null;
      return { ...baseQuery, q, limit: 50, anchor: null };
    });
    let model = emptyReadModel();
    let items = new Map<string, PublicItem>();
    for (let round = 1; round <= 120; round++) {
      // Most items are put again in every round; a few are put once and stay.
      const upserts = pool.map((each, index) => ({
        ...each,
        timelineAt: start - index,
        id: index % 20 === 0 ? `${each.id}-${index}-${round}` : `${each.id}-${index}`,
      }));
      const removals = round % 3 === 0 ? [`${pool[7]?.id}-7`] : [];
      const changes = { version: round, upserts, removals };
      model = applyChanges(model, changes, start);
      items = applyToMap(items, changes);
      if (round % 40 !== 0) continue;
      for (const query of [...(queries ?? []), ...common]) {
        expect(pageOf(model, query, start)).toEqual(naivePage(items.values(), query, start));
      }
    }
    // 72,000 upserts fill nine segments; the remaining 4,170 items fit into a few.
    expect(sizeOf(model)).toBe(items.size);
    expect(model.segments.length).toBeLessThanOrEqual(4);
    expect(model.segments.reduce((sum, { liveCount }) => sum + liveCount, 0)).toBe(sizeOf(model));
  });
});
