// The selection of reports for the digest of a large story.
import { expect, test } from 'vitest';
import { type PublicStoryReport, storyInputs } from './digest-stories.ts';

const createReport = (at: number, development: string | null): PublicStoryReport => ({
  id: `r${at}`,
  storyId: 'story',
  development,
  title: `Report ${at}`,
  summary: null,
  sourceName: 'Source',
  originalUrl: `https://news.example/${at}`,
  publishedAt: at,
  at,
  language: 'en',
  selected: false,
  revision: 1,
  sourceId: 'source',
  owner: 'Owner',
  tier: 'T2',
  score: 50,
  participation: 'editorial',
  firstParty: false,
});

test('reads the newest and the first reports, and the newest report of every development', () => {
  const reports = Array.from({ length: 90 }, (_, n) =>
    createReport(90 - n, n === 60 || n === 61 ? 'recall' : 'launch'),
  );
  const times = storyInputs(reports).reports.map(({ at }) => at);
  const countDown = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => first - n);
  expect(times).toEqual([...countDown(90, 40), 30, ...countDown(10, 10)]);
});
