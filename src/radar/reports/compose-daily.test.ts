import { expect, test } from 'vitest';
import { DAY_END, reportOf, testContext } from '../../../tests/support/report-values.ts';
import type { ContentEntry } from '../../store/radar/publication/report-content.ts';
import { composeDaily, type DailyMaterial } from './compose-daily.ts';
import { eventKeys, type Report } from './events.ts';
import { coverageOf, type PublishedEntry } from './published-facts.ts';
import { dailyOf } from './report-periods.ts';

const period = dailyOf('2026-09-24');

function materialOf(
  reports: readonly Report[],
  publishedEntries: readonly PublishedEntry[] = [],
  facts: Readonly<Record<string, readonly string[]>> = {},
  { outdated = [], title = [] }: { outdated?: readonly string[]; title?: readonly string[] } = {},
): DailyMaterial {
  const earlier = publishedEntries.flatMap(({ entry }) => [
    entry.itemId,
    ...entry.others.map((other) => other.itemId),
  ]);
  const eventPlaces = [...earlier.map((id) => reportOf(id, placeOf(id))), ...reports];
  const events = eventKeys(eventPlaces.map((report) => ({ ...report, item_id: report.id })));
  const factSets = Object.entries(facts).map(([id, list]) => [id, new Set(list)] as const);
  return {
    reports,
    events,
    coverage: coverageOf(publishedEntries, events),
    facts: new Map(factSets),
    roles: { titleIds: new Set(title), outdatedIds: new Set(outdated) },
  };
}

/** Items whose id begins with `s-` belong to one story. */
const placeOf = (id: string) => (id.startsWith('s-') ? { story_id: 'story' } : {});

const composeReports = (...reports: readonly Report[]) =>
  composeDaily(testContext, period, materialOf(reports));

const inStory = (id: string, overrides: Partial<Report> = {}) =>
  reportOf(id, { story_id: 'story', ...overrides });

const sectionsOf = (content: ReturnType<typeof composeReports>) =>
  content?.sections.map(({ label, entries }) => [label, entries.map((entry) => entry.itemId)]);

test('an event has one entry, a first party’s report that names it; others are listed', () => {
  const content = composeReports(
    inStory('s-wire', { score: 90, tier: 'T1_5', timeline_at: DAY_END - 9_000 }),
    inStory('s-own', { score: 50, tier: 'T1', title: 'Owner s-own opens a mill' }),
    inStory('s-unchosen', { score: 99, selected: false, timeline_at: DAY_END - 8_000 }),
    inStory('s-isolated', { participation: 'isolated', selected: false }),
    inStory('s-signal', { participation: 'signal', selected: false }),
  );
  expect(content?.sections.flatMap(({ entries }) => entries)).toEqual([
    {
      itemId: 's-own',
      title: 'Owner s-own opens a mill',
      summary:
        'The first sentence about s-own is long enough to stand alone. The second adds little.',
      owner: 'Owner s-own',
      sourceName: 'Source s-own',
      originalUrl: 'https://press.example/s-own',
      publishedAt: DAY_END - 3_600_000,
      at: DAY_END - 3_600_000,
      discoveredAt: DAY_END - 3_600_000,
      category: 'industry',
      // The best score is 99. Three owners add 10 × log2(3), the first party 5, the signal 1.
      weight: 99 + 10 * Math.log2(3) + 5 + 1,
      others: [
        {
          itemId: 's-wire',
          owner: 'Owner s-wire',
          sourceName: 'Source s-wire',
          at: DAY_END - 9_000,
        },
        {
          itemId: 's-unchosen',
          owner: 'Owner s-unchosen',
          sourceName: 'Source s-unchosen',
          at: DAY_END - 8_000,
        },
      ],
      since: null,
    },
  ]);
});

test('a title has no bare day, and a brief has a title that states an event', () => {
  const content = composeReports(
    reportOf('first', { title: 'Codicil 2 ships today' }),
    reportOf('a', { category: null, title: 'We are cutting the price of Tangjian 1' }),
    reportOf('b', { category: null, title: 'Plumbwell loses its chief Lila Farrant' }),
  );
  expect(content?.sections[0]?.entries[0]?.title).toBe('Codicil 2 ships');
  expect(content?.flashes.map((entry) => entry.itemId)).toEqual(['b']);
});

test('the chosen report depends first on the language, then on slogans, last on the score', () => {
  const best = (...reports: readonly Report[]) => composeReports(...reports)?.leads;
  const slogan = inStory('a', { score: 90, tier: 'T1', title: 'Meet Esker 4' });
  expect(best(slogan, inStory('b'))).toEqual(['b']);
  expect(best(slogan, inStory('b', { language: 'zh' }))).toEqual(['a']);
  const chinese = inStory('a', { score: 90, language: 'zh' });
  expect(best(chinese, inStory('b'))).toEqual(['b']);
  expect(best(chinese)).toEqual(['a']);
  expect(best(inStory('a', { score: 61, selected: false }), inStory('b'))).toEqual(['a']);
  expect(best(inStory('a', { selected: false }), inStory('b'))).toEqual(['b']);
});

test('the report of the story’s title represents the event, unless its figure is outdated', () => {
  const reports = [inStory('s-best', { score: 90 }), inStory('s-titled', { score: 20 })];
  const best = (roles: Parameters<typeof materialOf>[3]) =>
    composeDaily(testContext, period, materialOf(reports, [], {}, roles))?.leads;
  expect(best({})).toEqual(['s-best']);
  expect(best({ title: ['s-titled'] })).toEqual(['s-titled']);
  expect(best({ title: ['s-titled'], outdated: ['s-titled'] })).toEqual(['s-best']);
});

test('a duplicate group without a story is one event; with a story it joins the story', () => {
  expect(
    composeReports(reportOf('a', { group_id: 'g' }), reportOf('b', { group_id: 'g' }))?.leads,
  ).toEqual(['a']);
  expect(
    composeReports(
      reportOf('a', { group_id: 'g', story_id: 'story', score: 70 }),
      reportOf('b', { group_id: 'g' }),
      inStory('c'),
    )?.leads,
  ).toEqual(['a']);
});

test('sections follow the order of the categories, the most important entry first', () => {
  const content = composeReports(
    reportOf('a', { category: 'opinion', score: 99 }),
    reportOf('b', { category: 'ai-models', score: 40 }),
    reportOf('c', { category: 'industry', score: 50 }),
    reportOf('d', { category: 'industry', score: 60 }),
  );
  expect(sectionsOf(content)).toEqual([
    ['Models', ['b']],
    ['Industry', ['d', 'c']],
    ['Opinion', ['a']],
  ]);
  expect(content?.leads).toEqual(['a', 'd', 'c', 'b']);
});

test('short entries and overflow are briefs, except the most important entry', () => {
  const shortReport = { summary: 'Too short.' };
  const content = composeReports(
    reportOf('first', { score: 99, ...shortReport }),
    reportOf('short', { score: 98, ...shortReport }),
    reportOf('a', { score: 90 }),
    reportOf('b', { score: 80 }),
    reportOf('c', { score: 70 }),
    reportOf('d', { score: 65 }),
  );
  expect(sectionsOf(content)).toEqual([['Industry', ['first', 'a', 'b']]]);
  expect(content?.flashes.map((entry) => entry.itemId)).toEqual(['short', 'c']);
  expect(content?.leads).toEqual(['first', 'a', 'b', 'short', 'c']);
});

test('an item without a category is a brief', () => {
  const content = composeReports(reportOf('a'), reportOf('b', { category: null }));
  expect(sectionsOf(content)).toEqual([['Industry', ['a']]]);
  expect(content?.flashes.map((entry) => entry.itemId)).toEqual(['b']);
});

test('an unselected item with a high score is a brief and leads a quiet day', () => {
  const unselectedReport = { selected: false, score: 99 };
  const lowScore = reportOf('poor', { selected: false, score: 29 });
  const content = composeReports(reportOf('a'), reportOf('b', unselectedReport), lowScore);
  expect(sectionsOf(content)).toEqual([['Industry', ['a']]]);
  expect(content?.flashes.map((entry) => entry.itemId)).toEqual(['b']);
  expect(content?.leads).toEqual(['a', 'b']);
  expect(sectionsOf(composeReports(reportOf('b', unselectedReport), lowScore))).toEqual([
    ['Industry', ['b']],
  ]);
});

test('a day without reportable items has no daily', () => {
  expect(composeReports()).toBeNull();
  expect(composeReports(reportOf('poor', { selected: false, score: 29 }))).toBeNull();
  const signalReport = { participation: 'signal', selected: false } as const;
  expect(composeReports(reportOf('signal', signalReport))).toBeNull();
});

const publishedEntry = (
  itemId: string,
  date: string,
  overrides: Partial<ContentEntry> = {},
): PublishedEntry => ({
  date,
  entry: {
    itemId,
    title: 'As it was told',
    summary: null,
    owner: `Owner ${itemId}`,
    sourceName: `Source ${itemId}`,
    originalUrl: 'https://press.example/',
    publishedAt: null,
    at: 0,
    discoveredAt: 0,
    category: null,
    weight: 0,
    others: [],
    since: null,
    ...overrides,
  },
});

const yesterday = [publishedEntry('s-old', '2026-09-23')];

test('a published event returns only with new facts', () => {
  const reports = [inStory('s-new')];
  const facts = { 's-old': ['raised 1'], 's-new': ['raised 1', 'led by 2'] };
  expect(composeDaily(testContext, period, materialOf(reports, yesterday, facts))).toBeNull();
  const newerFacts = { ...facts, 's-new': ['raised 1', 'led by 2', 'staff 3'] };
  const content = composeDaily(testContext, period, materialOf(reports, yesterday, newerFacts));
  expect(content?.sections[0]?.entries[0]?.since).toEqual({
    date: '2026-09-23',
    itemIds: ['s-old'],
  });
});

test('a published event returns with many new owners, and states its first date', () => {
  const publishedEntries = [
    publishedEntry('s-older', '2026-09-20'),
    publishedEntry('s-old', '2026-09-23', { since: { date: '2026-09-20', itemIds: ['s-older'] } }),
  ];
  const reports = [inStory('s-1'), inStory('s-2'), inStory('s-3', { owner: 'Owner s-old' })];
  expect(composeDaily(testContext, period, materialOf(reports, publishedEntries))).toBeNull();
  const moreReports = [...reports, inStory('s-4')];
  const content = composeDaily(testContext, period, materialOf(moreReports, publishedEntries));
  expect(content?.leads).toEqual(['s-1']);
  expect(content?.sections[0]?.entries[0]?.since).toEqual({
    date: '2026-09-20',
    itemIds: ['s-older'],
  });
});

test('a report that was counted yesterday is not a new development today', () => {
  const otherReports = ['s-1', 's-2', 's-3'].map((itemId) => ({
    itemId,
    owner: `Owner ${itemId}`,
    sourceName: itemId,
    at: 0,
  }));
  const publishedEntries = [publishedEntry('s-old', '2026-09-23', { others: otherReports })];
  const reports = [inStory('s-1'), inStory('s-2'), inStory('s-3')];
  expect(composeDaily(testContext, period, materialOf(reports, publishedEntries))).toBeNull();
});

test('a report whose figure was replaced does not lead its event', () => {
  const reports = [
    inStory('s-first', { score: 99, selected: true, timeline_at: DAY_END - 9_000 }),
    inStory('s-second', { score: 40, selected: false, timeline_at: DAY_END - 8_000 }),
  ];
  const content = composeDaily(
    testContext,
    period,
    materialOf(reports, [], {}, { outdated: ['s-first'] }),
  );
  expect(content?.leads).toEqual(['s-second']);
});
