// A corpus of old, unusual and broken feeds (`tests/corpus/feeds`), each with its complete expected
// result. Fields that an expected entry omits are null.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fetchWarning, formatWarning } from '../../fetch/fetch-warning.ts';
import type { ParsedEntry, ParsedFeed } from '../entry.ts';
import { type ReadFeedResult, readFeed } from './read-feed.ts';

type Expected = {
  readonly file: string;
  readonly url: string | null;
  readonly contentType: string | null;
} & (
  | { readonly kind: 'not_a_feed'; readonly reason: string; readonly feeds: readonly string[] }
  | {
      readonly kind: 'read';
      readonly format: ParsedFeed['format'];
      readonly title: string | null;
      readonly entries: readonly Partial<ParsedEntry>[];
    }
);

const corpus = new URL('../../../../../tests/corpus/feeds/', import.meta.url);
const table: readonly Expected[] = JSON.parse(
  readFileSync(new URL('expected.json', corpus), 'utf8'),
);

const emptyEntry: ParsedEntry = {
  id: null,
  url: null,
  title: null,
  summary: null,
  content: null,
  author: null,
  publishedAt: null,
  updatedAt: null,
  language: null,
};

test('the corpus has at least sixty feeds', () => {
  expect(table.length).toBeGreaterThanOrEqual(60);
});

test.each(table)('$file yields the expected entries', (row) => {
  const bytes = readFileSync(new URL(row.file, corpus));
  const outcome = readFeed(bytes, { url: row.url, contentType: row.contentType });
  expect(withoutDetails(outcome)).toEqual(
    row.kind === 'not_a_feed'
      ? { kind: 'not_a_feed', reason: row.reason, feeds: row.feeds }
      : {
          kind: 'read',
          format: row.format,
          title: row.title,
          entries: row.entries.map((entry) => ({ ...emptyEntry, ...entry })),
        },
  );
});

/** The result without encoding and warnings, which the table does not contain. */
function withoutDetails(outcome: ReadFeedResult): unknown {
  if (outcome.kind === 'not_a_feed') {
    const { kind, feeds } = outcome;
    return { kind, reason: formatWarning(outcome.warning, 'en'), feeds };
  }
  const { format, title, entries } = outcome.feed;
  return { kind: 'read', format, title, entries };
}

test('warns about irregularities', () => {
  const readText = (text: string) => readFeed(Buffer.from(text), { url: null, contentType: null });
  expect(readText('<?xml version="1.0" encoding="utf-16"?><rss><channel><title>a')).toEqual({
    kind: 'read',
    encoding: 'utf8',
    feed: {
      format: 'rss',
      title: 'a',
      entries: [],
      warnings: [fetchWarning('encoding-wrong', 'utf-16', 'document'), fetchWarning('xml-cut')],
    },
  });
});
