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

test('chooses the newest and the earliest reports, and the newest of every development', () => {
  const reports = Array.from({ length: 90 }, (_, index) =>
    createReport(90 - index, index === 60 || index === 61 ? 'recall' : 'launch'),
  );
  const times = storyInputs(reports).reports.map(({ at }) => at);
  const countDown = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => first - index);
  expect(times).toEqual([...countDown(90, 40), 30, ...countDown(10, 10)]);
});
