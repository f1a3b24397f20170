import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicItem } from '../item.ts';
import { parseQuery } from '../search/query.ts';
import { applyChanges } from './apply-changes.ts';
import { type ItemPageQuery, pageOf } from './page.ts';
import { emptyReadModel } from './read-model.ts';

const now = Date.UTC(2026, 8, 23, 12, 0, 30);
// The window's edge is a whole minute.
const edge = Date.UTC(2026, 8, 16, 12, 0, 0);

function item(id: string, timelineAt: number, overrides: Partial<PublicItem> = {}): PublicItem {
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

function modelOf(...upserts: PublicItem[]) {
  return applyChanges(emptyReadModel(), { version: 1, upserts, removals: [] }, now);
}

const first: ItemPageQuery = {
  mode: 'selected',
  category: null,
  by: 'timeline',
  window: '7d',
  q: null,
  limit: 50,
  anchor: null,
};

function idsOf(model: ReturnType<typeof modelOf>, query: Partial<ItemPageQuery>, at = now) {
  const page = pageOf(model, { ...first, ...query }, at);
  return page.kind === 'page' ? page.items.map(({ id }) => id) : page.kind;
}

describe('a page of items', () => {
  it('is empty before anything is published', () => {
    expect(pageOf(emptyReadModel(), first, now)).toEqual({
      kind: 'page',
      items: [],
      hasMore: false,
      nextAnchor: null,
    });
  });

  it('is in order of time, then of id by bytes, both descending', () => {
    const ids = ['a', 'B', '_', '-', '0', 'Z', 'aa'];
    const model = modelOf(...ids.map((id) => item(id, now)), item('new', now + 1));
    expect(idsOf(model, {})).toEqual(['new', 'aa', 'a', '_', 'Z', 'B', '0', '-']);
  });

  it('of a search has the same order, also for equal times and times far ahead', () => {
    const datedItem = (id: string, years: number) =>
      item(id, now, { publishedAt: now + years * 366 * DAY_MS });
    const ids = ['a', 'B', '_', 'aa'];
    const model = modelOf(
      ...ids.map((id) => item(id, now)),
      datedItem('f1', 100),
      datedItem('f2', 200),
    );
    const parsed = parseQuery('title');
    const q = parsed.kind === 'query' ? parsed.query : null;
    expect(idsOf(model, { q, by: 'published' })).toEqual(['f2', 'f1', 'aa', 'a', '_', 'B']);
  });

  it('reports exactly whether more items follow, and the item after which they follow', () => {
    const [a, b, c] = [item('a', now - 3), item('b', now - 2), item('c', now - 1)];
    const model = modelOf(a, b, c);
    expect(pageOf(model, { ...first, limit: 2 }, now)).toEqual({
      kind: 'page',
      items: [c, b],
      hasMore: true,
      nextAnchor: { at: now - 2, id: 'b' },
    });
    expect(pageOf(model, { ...first, limit: 3 }, now)).toEqual({
      kind: 'page',
      items: [c, b, a],
      hasMore: false,
      nextAnchor: null,
    });
  });

  it('continues from a position whose row was removed', () => {
    const model = modelOf(item('a', now - 3), item('b', now - 2), item('c', now - 1));
    const smallerModel = applyChanges(model, { version: 2, upserts: [], removals: ['b'] }, now);
    expect(idsOf(smallerModel, { anchor: { at: now - 2, id: 'b' } })).toEqual(['a']);
  });

  it('contains the items of the window, which begins at a whole minute', () => {
    const model = modelOf(item('in', edge), item('out', edge - 1));
    expect(idsOf(model, {})).toEqual(['in']);
    expect(idsOf(model, {}, now + 29_999)).toEqual(['in']);
    expect(idsOf(model, {}, now + 30_000)).toEqual([]);
    expect(idsOf(model, {}, now - MINUTE_MS)).toEqual(['in', 'out']);
    expect(idsOf(model, { window: '24h' })).toEqual([]);
  });

  it('reports an anchor that left the window', () => {
    const model = modelOf(item('a', edge));
    const anchor = { at: edge, id: 'b' };
    expect(idsOf(model, { anchor })).toEqual(['a']);
    expect(idsOf(model, { anchor }, now + MINUTE_MS)).toBe('anchor_expired');
    expect(idsOf(model, { anchor, window: '24h' })).toBe('anchor_expired');
  });

  it('sorts by the requested time', () => {
    const backdatedItem = item('back', now - DAY_MS * 9, { publishedAt: now - 5 });
    const unknown = item('unknown', now - 1);
    const old = item('old', now, { publishedAt: now - DAY_MS * 9 });
    const model = modelOf(backdatedItem, unknown, old);
    expect(idsOf(model, { by: 'timeline' })).toEqual(['old', 'unknown']);
    expect(idsOf(model, { by: 'published' })).toEqual(['unknown', 'back']);
  });

  it('filters by mode and by any category', () => {
    const model = modelOf(
      item('a', now - 1, { category: 'paper' }),
      item('b', now - 2, { category: 'paper', selected: false }),
      item('c', now - 3, { selected: false }),
    );
    expect(idsOf(model, {})).toEqual(['a']);
    expect(idsOf(model, { mode: 'all' })).toEqual(['a', 'b', 'c']);
    expect(idsOf(model, { mode: 'all', category: 'paper' })).toEqual(['a', 'b']);
    expect(idsOf(model, { category: 'paper' })).toEqual(['a']);
    expect(idsOf(model, { category: 'selected' })).toEqual([]);
    expect(idsOf(model, { category: '__proto__' })).toEqual([]);
  });

  it('searches within the filters, in the same order', () => {
    const model = modelOf(
      item('a', now - 1, { title: '新的大模型' }),
      item('b', now - 2, { summary: 'About 大模型', selected: false }),
      item('c', now - 3, { originalTitle: 'GPT大模型' }),
    );
    const parsed = parseQuery('大模型');
    const q = parsed.kind === 'query' ? parsed.query : null;
    expect(idsOf(model, { q })).toEqual(['a', 'c']);
    expect(idsOf(model, { q, mode: 'all', anchor: { at: now - 1, id: 'a' } })).toEqual(['b', 'c']);
  });
});
