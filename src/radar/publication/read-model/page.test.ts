import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicItem } from '../item.ts';
import { parseQuery } from '../search/query.ts';
import { applyChanges } from './apply-changes.ts';
import { type PageQuery, pageOf } from './page.ts';
import { emptyEdition } from './read-model.ts';

const now = Date.UTC(2026, 8, 23, 12, 0, 30);
// The window's edge goes by the minute that has begun.
const edge = Date.UTC(2026, 8, 16, 12, 0, 0);

function item(id: string, timelineAt: number, rest: Partial<PublicItem> = {}): PublicItem {
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
    ...rest,
  };
}

function editionOf(...upserts: PublicItem[]) {
  return applyChanges(emptyEdition(), { version: 1, upserts, removals: [] }, now);
}

const first: PageQuery = {
  mode: 'selected',
  category: null,
  by: 'timeline',
  window: '7d',
  q: null,
  limit: 50,
  anchor: null,
};

function idsOf(edition: ReturnType<typeof editionOf>, query: Partial<PageQuery>, at = now) {
  const page = pageOf(edition, { ...first, ...query }, at);
  return page.kind === 'page' ? page.items.map(({ id }) => id) : page.kind;
}

describe('a page of items', () => {
  it('is empty before anything is published', () => {
    expect(pageOf(emptyEdition(), first, now)).toEqual({
      kind: 'page',
      items: [],
      hasMore: false,
      nextAnchor: null,
    });
  });

  it('is in order of time, then of id by bytes, both descending', () => {
    const ids = ['a', 'B', '_', '-', '0', 'Z', 'aa'];
    const edition = editionOf(...ids.map((id) => item(id, now)), item('new', now + 1));
    expect(idsOf(edition, {})).toEqual(['new', 'aa', 'a', '_', 'Z', 'B', '0', '-']);
  });

  it('says exactly whether there are more, and where they begin', () => {
    const [a, b, c] = [item('a', now - 3), item('b', now - 2), item('c', now - 1)];
    const edition = editionOf(a, b, c);
    expect(pageOf(edition, { ...first, limit: 2 }, now)).toEqual({
      kind: 'page',
      items: [c, b],
      hasMore: true,
      nextAnchor: { at: now - 2, id: 'b' },
    });
    expect(pageOf(edition, { ...first, limit: 3 }, now)).toEqual({
      kind: 'page',
      items: [c, b, a],
      hasMore: false,
      nextAnchor: null,
    });
  });

  it('goes on from a position whose row is gone', () => {
    const edition = editionOf(item('a', now - 3), item('b', now - 2), item('c', now - 1));
    const less = applyChanges(edition, { version: 2, upserts: [], removals: ['b'] }, now);
    expect(idsOf(less, { anchor: { at: now - 2, id: 'b' } })).toEqual(['a']);
  });

  it('holds what is within the window to the minute', () => {
    const edition = editionOf(item('in', edge), item('out', edge - 1));
    expect(idsOf(edition, {})).toEqual(['in']);
    expect(idsOf(edition, {}, now + 29_999)).toEqual(['in']);
    expect(idsOf(edition, {}, now + 30_000)).toEqual([]);
    expect(idsOf(edition, {}, now - MINUTE_MS)).toEqual(['in', 'out']);
    expect(idsOf(edition, { window: '24h' })).toEqual([]);
  });

  it('tells a reader whose anchor has left the window', () => {
    const edition = editionOf(item('a', edge));
    const anchor = { at: edge, id: 'b' };
    expect(idsOf(edition, { anchor })).toEqual(['a']);
    expect(idsOf(edition, { anchor }, now + MINUTE_MS)).toBe('anchor_left');
    expect(idsOf(edition, { anchor, window: '24h' })).toBe('anchor_left');
  });

  it('goes by the time that was asked for', () => {
    const back = item('back', now - DAY_MS * 9, { publishedAt: now - 5 });
    const unknown = item('unknown', now - 1);
    const old = item('old', now, { publishedAt: now - DAY_MS * 9 });
    const edition = editionOf(back, unknown, old);
    expect(idsOf(edition, { by: 'timeline' })).toEqual(['old', 'unknown']);
    expect(idsOf(edition, { by: 'published' })).toEqual(['unknown', 'back']);
  });

  it('filters by mode and by any category there may be', () => {
    const edition = editionOf(
      item('a', now - 1, { category: 'paper' }),
      item('b', now - 2, { category: 'paper', selected: false }),
      item('c', now - 3, { selected: false }),
    );
    expect(idsOf(edition, {})).toEqual(['a']);
    expect(idsOf(edition, { mode: 'all' })).toEqual(['a', 'b', 'c']);
    expect(idsOf(edition, { mode: 'all', category: 'paper' })).toEqual(['a', 'b']);
    expect(idsOf(edition, { category: 'paper' })).toEqual(['a']);
    expect(idsOf(edition, { category: 'selected' })).toEqual([]);
    expect(idsOf(edition, { category: '__proto__' })).toEqual([]);
  });

  it('searches within all of that, in the same order', () => {
    const edition = editionOf(
      item('a', now - 1, { title: '新的大模型' }),
      item('b', now - 2, { summary: 'About 大模型', selected: false }),
      item('c', now - 3, { originalTitle: 'GPT大模型' }),
    );
    const parsed = parseQuery('大模型');
    const q = parsed.kind === 'query' ? parsed.query : null;
    expect(idsOf(edition, { q })).toEqual(['a', 'c']);
    expect(idsOf(edition, { q, mode: 'all', anchor: { at: now - 1, id: 'a' } })).toEqual([
      'b',
      'c',
    ]);
  });
});
