import { describe, expect, test } from 'vitest';
import type { ParsedEntry } from '../parse/entry.ts';
import { toDrafts } from './entry-to-item.ts';
import { correctDate, matchDrafts, type StoredItemKey } from './match-drafts.ts';

const createEntry = (overrides: Partial<ParsedEntry> = {}): ParsedEntry => ({
  id: 'guid-1',
  url: 'https://news.example/a?utm_source=x',
  title: 'Lantern opens a laboratory',
  summary: '<p>Forty people start in autumn.</p>',
  content: null,
  author: null,
  publishedAt: '2026-08-22T09:00:00.000Z',
  updatedAt: null,
  language: null,
  ...overrides,
});

const knownItem = (
  overrides: Partial<ParsedEntry> = {},
  item: Partial<StoredItemKey> = {},
): StoredItemKey => {
  const [draft] = toDrafts([createEntry(overrides)], null);
  if (!draft) throw new Error('the entry does not make a draft');
  return {
    id: 'item-1',
    entry_key: draft.entryKey,
    canonical_url: draft.canonicalUrl,
    content_hash: draft.contentHash,
    published_at: draft.publishedAt,
    ...item,
  };
};

const toDraft = (entry: ParsedEntry, sourceUrl: string | null) =>
  toDrafts([entry], sourceUrl).at(0) ?? null;

const matchKinds = (entries: readonly ParsedEntry[], items: readonly StoredItemKey[]) =>
  matchDrafts(toDrafts(entries, null), items).map((match) => match.kind);

describe('matching a fetch against stored items', () => {
  test('an unknown entry is new, and the same entry again changes nothing', () => {
    expect(matchKinds([createEntry()], [])).toEqual(['new']);
    expect(matchKinds([createEntry()], [knownItem()])).toEqual(['unchanged']);
  });

  test.each([
    ['title', { title: 'Lantern opens two laboratories' }],
    ['summary', { summary: '<p>Fifty people start in autumn.</p>' }],
    ['content', { content: 'Now with a text.' }],
    ['address', { url: 'https://news.example/b' }],
    ['an earlier date', { publishedAt: '2026-08-22T08:00:00.000Z' }],
  ])('an edit of the %s is a change', (_what, overrides) =>
    expect(matchKinds([createEntry(overrides)], [knownItem()])).toEqual(['changed']),
  );

  test.each([
    ['markup', { summary: '<div>Forty people  start in autumn.</div>' }],
    ['a later date', { publishedAt: '2026-08-23T09:00:00.000Z' }],
    ['a new id under the same address', { id: 'guid-2' }],
    ['no id at all', { id: null }],
  ])('%s alone is not a change', (_what, overrides) =>
    expect(matchKinds([createEntry(overrides)], [knownItem()])).toEqual(['unchanged']),
  );

  test('an address identifies an item only when exactly one entry has it', () => {
    const page = 'https://news.example/changelog';
    const first = createEntry({ id: 'one', url: page });
    const second = createEntry({ id: 'two', url: page, title: 'Another change of the same page' });
    expect(matchKinds([first, second], [knownItem({ id: 'one', url: page })])).toEqual([
      'unchanged',
      'new',
    ]);
  });

  test('a feed that repeats an entry yields one item', () => {
    expect(toDrafts([createEntry(), createEntry({ title: 'Again' })], null)).toHaveLength(1);
  });
});

describe('a publication date', () => {
  test('moves earlier as a correction and never later', () => {
    expect([
      correctDate(5, 9),
      correctDate(9, 5),
      correctDate(null, 5),
      correctDate(5, null),
    ]).toEqual([5, 5, 5, 5]);
  });

  test.each(['1970-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'])('%s is ignored', (time) =>
    expect(toDraft(createEntry({ publishedAt: time }), null)?.publishedAt).toBeNull(),
  );
});

describe('a link to a private address', () => {
  const urlOf = (url: string, sourceUrl: string) => toDraft(createEntry({ url }), sourceUrl)?.url;

  test.each([
    'http://127.0.0.1:15999/a',
    'http://0x7f000001/',
    'http://[::1]/',
    'http://localhost./',
  ])('of a public source is not published: %s', (url) =>
    expect(urlOf(url, 'https://news.example/feed')).toBe('https://news.example/feed'),
  );

  test('of a source with a private address of its own is published', () => {
    expect(urlOf('http://10.0.0.8/a', 'http://10.0.0.9/feed')).toBe('http://10.0.0.8/a');
  });
});

describe('an incomplete or damaged entry', () => {
  test('makes no item without an address and without words', () => {
    const emptyEntry = { id: 'x', url: null, title: null, summary: null, content: null };
    expect(toDraft(createEntry(emptyEntry), 'https://news.example/')).toBeNull();
  });

  test('gets the source’s address when it has text but no address', () => {
    const draft = toDraft(createEntry({ url: null }), 'https://news.example/');
    expect(draft?.url).toBe('https://news.example/');
    expect(draft?.canonicalUrl).toMatch(/^entry:/);
  });

  test('removes lone surrogates and NUL before storage', () => {
    const draft = toDraft(createEntry({ title: 'a\0b\ud83d' }), null);
    expect(draft?.title).toBe('ab\ufffd');
  });
});
