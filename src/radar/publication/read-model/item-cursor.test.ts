import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../search/query.ts';
import { type CursorQuery, openAnchor, sealAnchor } from './item-cursor.ts';

const secret = createSecretKey('a secret that all nodes of one radar share', 'utf8');
const anchor = { at: 1763568252318, id: '0192f7a4c1e27d3a' };
const query: CursorQuery = {
  mode: 'selected',
  category: null,
  window: '7d',
  by: 'timeline',
  q: null,
};

function searchQuery(text: string): CursorQuery {
  const parsed = parseQuery(text);
  return { ...query, q: parsed.kind === 'query' ? parsed.query : null };
}

describe('the cursor of a page of items', () => {
  it('returns the position for the same query', () => {
    expect(openAnchor(secret, query, sealAnchor(secret, query, anchor))).toEqual(anchor);
    const token = sealAnchor(secret, searchQuery('  big model '), anchor);
    expect(openAnchor(secret, searchQuery('big model'), token)).toEqual(anchor);
  });

  it('fits into a URL with the longest id', () => {
    const token = sealAnchor(secret, query, { at: anchor.at, id: 'x'.repeat(80) });
    expect(token).toMatch(/^i1\.[A-Za-z0-9._-]{1,200}$/);
  });

  it.each([
    ['mode', { ...query, mode: 'all' }],
    ['category', { ...query, category: 'paper' }],
    ['window', { ...query, window: '24h' }],
    ['by', { ...query, by: 'published' }],
    ['q', searchQuery('null')],
  ] satisfies [string, CursorQuery][])('is rejected for a query with another %s', (_, other) => {
    expect(openAnchor(secret, other, sealAnchor(secret, query, anchor))).toBeNull();
    expect(openAnchor(secret, query, sealAnchor(secret, other, anchor))).toBeNull();
  });
});
