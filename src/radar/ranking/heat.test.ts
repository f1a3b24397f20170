import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { isDue } from './compute-ranking.ts';
import { heatAt, type RankedReport } from './heat.ts';
import { chooseRows, rankStories } from './rank-stories.ts';
import { rankingJsonSchema, readRankingRules } from './ranking-rules.ts';
import { trendOf } from './trend.ts';

const rules = {
  version: 'test',
  windowHours: 48,
  halfLifeHours: 24,
  tiers: { T1: 4, T1_5: 2, T2: 1 },
  engagement: 1,
  rows: 3,
  rowsOfOneSaga: 2,
  trend: { hours: 6, rising: 1.1, falling: 0.9 },
};
const NOW = Date.parse('2026-08-22T12:00:00Z');

let reportCount = 0;
const createReport = (hours: number, overrides: Partial<RankedReport> = {}): RankedReport => {
  reportCount += 1;
  const source = overrides.sourceId ?? `source-${reportCount}`;
  return {
    id: `item-${reportCount}`,
    storyId: 'story',
    sourceId: source,
    owner: source,
    tier: 'T2',
    participation: 'editorial',
    at: NOW - hours * HOUR_MS,
    development: null,
    ...overrides,
  };
};

describe('heat', () => {
  test('is the weight of owners, halved every day, within two days', () => {
    expect(heatAt(rules, [createReport(0, { tier: 'T1' }), createReport(24)], NOW)).toBe(4.5);
    expect(heatAt(rules, [createReport(48), createReport(47.999)], NOW)).toBeCloseTo(0.25, 4);
    expect(heatAt(rules, [createReport(-1)], NOW)).toBe(0);
  });

  test('counts each owner once, with its best report', () => {
    const syndicated = [createReport(0), createReport(0), createReport(24)].map((entry) => ({
      ...entry,
      owner: 'one',
    }));
    expect(heatAt(rules, syndicated, NOW)).toBe(1);
    expect(
      heatAt(rules, [...syndicated, createReport(24, { owner: 'one', tier: 'T1' })], NOW),
    ).toBe(2);
  });

  test('is the heat of the hottest development, so different developments do not add up', () => {
    const launch = [createReport(0, { development: 'a' }), createReport(0, { development: 'a' })];
    const rumour = createReport(0, { development: 'b', tier: 'T1_5' });
    expect(heatAt(rules, [...launch, rumour], NOW)).toBe(2);
    expect(heatAt(rules, [...launch, { ...rumour, development: 'a' }], NOW)).toBe(4);
    const comments = ['c', 'd'].map((development) => createReport(0, { development }));
    expect(heatAt(rules, [...launch, rumour, ...comments], NOW)).toBe(4);
  });

  test('adds a damped part for signals and nothing for isolated sources', () => {
    const signals = Array.from({ length: 7 }, () => createReport(0, { participation: 'signal' }));
    expect(heatAt(rules, signals, NOW)).toBe(3);
    expect(heatAt(rules, [createReport(0, { participation: 'isolated' })], NOW)).toBe(0);
  });
});

const emptySet = new Set<string>();
const rankReports = (
  reports: readonly RankedReport[],
  firstParties: ReadonlySet<string> = emptySet,
) => rankStories(rules, { reports, firstParties, observedSourceIds: emptySet }, NOW);

describe('a story qualifies', () => {
  test('with two owners or with a first party', () => {
    const oneOwner = [createReport(1, { owner: 'one' }), createReport(2, { owner: 'one' })];
    expect(rankReports(oneOwner)).toEqual([]);
    expect(rankReports([...oneOwner, createReport(3, { participation: 'signal' })])).toEqual([]);
    expect(rankReports([...oneOwner, createReport(49)])).toEqual([]);
    expect(rankReports([...oneOwner, createReport(3)])).toHaveLength(1);
    expect(rankReports(oneOwner, new Set([oneOwner[1]?.id ?? '']))).toHaveLength(1);
  });

  test('and is ranked by the heat of its reports within the window', () => {
    const cool = [createReport(30, { storyId: 'cool' }), createReport(31, { storyId: 'cool' })];
    const hot = [createReport(1, { storyId: 'hot' }), createReport(2, { storyId: 'hot' })];
    const oldReport = createReport(50, { storyId: 'hot' });
    const ranked = rankReports([...cool, ...hot, oldReport]);
    expect(ranked.map(({ storyId, itemIds }) => [storyId, itemIds])).toEqual([
      ['hot', hot.map(({ id }) => id)],
      ['cool', cool.map(({ id }) => id)],
    ]);
  });
});

test('one storyline has at most two rows', () => {
  const topics = ['a', 'b', 'c', 'd', 'e'].map((storyId, index) => ({
    storyId,
    itemIds: [],
    trend: null,
    heat: 9 - index,
  }));
  const ids = (lines: [string, string][]) =>
    chooseRows(rules, topics, lines).map(({ storyId }) => storyId);
  expect(ids([])).toEqual(['a', 'b', 'c']);
  expect(
    ids([
      ['c', 'b'],
      ['a', 'b'],
    ]),
  ).toEqual(['a', 'b', 'd']);
  expect(
    ids([
      ['c', 'x'],
      ['x', 'a'],
      ['b', 'd'],
      ['d', 'a'],
    ]),
  ).toEqual(['a', 'b', 'e']);
});

describe('a trend', () => {
  const observedSources = new Set(['seen', 'seen-too']);
  const trendWith = (...reports: RankedReport[]) => trendOf(rules, reports, observedSources, NOW);

  test('is new when no source had the story six hours ago', () => {
    expect(trendWith(createReport(5, { sourceId: 'seen' }), createReport(2))).toBe('new');
    expect(trendWith(createReport(5), createReport(2))).toBeNull();
  });

  test('counts only sources without a gap in their fetches', () => {
    const before = createReport(7, { sourceId: 'seen' });
    expect(trendWith(before, createReport(1, { sourceId: 'seen-too' }))).toBe('rising');
    expect(trendWith(before, createReport(1))).toBe('falling');
    expect(trendWith(createReport(7), createReport(1, { sourceId: 'seen' }))).toBe('rising');
  });

  test('is steady when a new report of the same owner balances the decay', () => {
    const before = createReport(7, { sourceId: 'seen' });
    expect(trendWith(before)).toBe('falling');
    expect(trendWith(before, createReport(1.5, { sourceId: 'seen' }))).toBe('steady');
  });
});

test('a ranking is due once per five minutes, also after the clock was set back', () => {
  expect(isDue(null, NOW)).toBe(true);
  expect([isDue(NOW, NOW), isDue(NOW, NOW + 299_999), isDue(NOW, NOW + 300_000)]).toEqual([
    false,
    false,
    true,
  ]);
  expect(isDue(NOW, NOW - 1)).toBe(true);
});

describe('the rules', () => {
  test('match the committed schema', async () => {
    const { readFile } = await import('node:fs/promises');
    const schema = JSON.parse(await readFile('editorial/schemas/hot.schema.json', 'utf8'));
    expect(schema).toEqual(rankingJsonSchema());
    expect(await readRankingRules('editorial')).toMatchObject({ windowHours: 48, rows: 10 });
  });

  test('cannot be read from a missing folder, and the error names the file', async () => {
    await expect(readRankingRules('/nowhere')).rejects.toThrow('/nowhere/hot.json cannot be read');
  });
});
