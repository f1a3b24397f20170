import { expect, test } from 'vitest';
import { mergeResults } from './merge-results.ts';
import type { SearchResult } from './search-provider.ts';

const row = (url: string, title = url): SearchResult => {
  return { title, url, snippet: '', published_at: null, source: null };
};
const urls = (results: readonly SearchResult[]) => results.map(({ url }) => url);

test('a result of two engines precedes a higher-ranked result of one engine', () => {
  const merged = mergeResults([
    [row('https://a.example/1'), row('https://b.example/2')],
    [row('https://b.example/2'), row('https://c.example/3')],
  ]);
  expect(urls(merged)).toEqual([
    'https://b.example/2',
    'https://a.example/1',
    'https://c.example/3',
  ]);
});

test('two spellings of one address give one result, with the title of the first engine', () => {
  const merged = mergeResults([
    [row('https://a.example/1?utm_source=x', 'first')],
    [row('https://a.example/1', 'second')],
  ]);
  expect(merged.map(({ title }) => title)).toEqual(['first']);
});

test('an address that one engine repeats gets no higher score', () => {
  const duplicate = row('https://a.example/1');
  const merged = mergeResults([
    [row('https://b.example/2'), duplicate, duplicate, duplicate],
    [row('https://b.example/2')],
  ]);
  expect(urls(merged)).toEqual(['https://b.example/2', 'https://a.example/1']);
});
