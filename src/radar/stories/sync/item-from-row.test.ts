// The text by which a stored item is compared.
import { expect, test } from 'vitest';
import { reportTimeOf, storyItemOf } from './item-from-row.ts';

const row = {
  id: 'i',
  group_id: 'g',
  canonical_url: 'https://posts.example/7',
  title: 'Look at this',
  summary: 'Look at this',
  content: '<p>Look at this</p><blockquote>The ferry to Cape Sorrel sank at night.</blockquote>',
  article: null,
  language: 'en',
  source_id: 'posts',
  published_at: 1,
  discovered_at: 1,
};

test('the time of a report is its publication, also when it is found days later', () => {
  expect(reportTimeOf({ published_at: 5, discovered_at: 9 })).toBe(5);
  expect(reportTimeOf({ published_at: null, discovered_at: 9 })).toBe(9);
  expect(reportTimeOf({ published_at: 10, discovered_at: 9 })).toBe(9);
});

test('the quotation of a post is text of the post', () => {
  expect(storyItemOf(row, 1).text).toMatch(
    /Look at this\s+The ferry to Cape Sorrel sank at night\./,
  );
});

test('the longest of article, content and summary is the text', () => {
  const article =
    'The page that the post links to: the ferry to Cape Sorrel sank after midnight. '.repeat(2);
  expect(storyItemOf({ ...row, article }, 1).text).toBe(article);
  const summary = 'A summary that says more than the only word of the content.';
  expect(storyItemOf({ ...row, content: '<p>Comments</p>', summary }, 1).text).toBe(summary);
});
