import { expect, test } from 'vitest';
import { DAY_END, reportOf, testContext } from '../../../tests/support/report-values.ts';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { entryFieldsOf } from './compose-daily.ts';
import { composePeriod, integrateHeat } from './compose-period.ts';
import { eventKeys, type Report } from './events.ts';
import { coverageOf, type PublishedEntry } from './published-facts.ts';
import { weeklyOf } from './report-periods.ts';

const week = weeklyOf('2026-09-24');

/** A daily's entry for `report`, with these other reports. */
function publishedEntry(
  date: string,
  report: Report,
  others: readonly Report[] = [],
): PublishedEntry {
  const reports = others.map(({ id, owner, source_name, timeline_at }) => {
    return { itemId: id, owner, sourceName: source_name, at: timeline_at };
  });
  return {
    date,
    entry: { ...entryFieldsOf(report, { others: [] }), weight: 0, others: reports, since: null },
  };
}

function composeWeek(published: readonly PublishedEntry[], reports: readonly Report[]) {
  const events = eventKeys(reports.map((report) => ({ ...report, item_id: report.id })));
  const byId = new Map(reports.map((report) => [report.id, report]));
  return composePeriod(testContext, week, {
    publishedEntries: published,
    events,
    reports: byId,
    roles: { titleIds: new Set(), outdatedIds: new Set() },
  });
}

test('repeated coverage by many owners outweighs one high score', () => {
  const highScore = reportOf('loud', { score: 99 });
  const [a, b, c] = ['a', 'b', 'c'].map((id) => reportOf(id, { story_id: 's', score: 60 }));
  if (!a || !b || !c) throw new Error('the test needs three reports');
  const content = composeWeek(
    [
      publishedEntry('2026-09-21', highScore),
      publishedEntry('2026-09-22', a, [b]),
      publishedEntry('2026-09-23', c),
    ],
    [highScore, a, b, c],
  );
  expect(content?.leads).toEqual(['a', 'loud']);
  expect(content?.sections[0]?.entries[0]?.others.map(({ itemId }) => itemId)).toEqual(['b', 'c']);
});

test('heat is summed over the period: early reports and new owners count more', () => {
  const reportAt = (hoursBefore: number, owner: string) => {
    return { owner, timeline_at: DAY_END - hoursBefore * HOUR_MS };
  };
  const heat = (...reports: { owner: string; timeline_at: number }[]) =>
    integrateHeat(reports, DAY_END, testContext.rules.weekly);
  expect(heat()).toBe(0);
  expect(heat(reportAt(24, 'a'))).toBe(0.5);
  expect(heat(reportAt(48, 'a'))).toBe(0.75);
  expect(heat(reportAt(24, 'a'), reportAt(24, 'b'))).toBe(1);
  expect(heat(reportAt(24, 'a'), reportAt(48, 'a'))).toBe(0.75 + 0.25 * 0.5);
  expect(heat(reportAt(-1, 'a'))).toBe(0);
});

test('overview and introductions quote the chosen entries, each with its own item', () => {
  const model = reportOf('model', { category: 'ai-models', score: 50 });
  const first = reportOf('first', { score: 90 });
  const second = reportOf('second', { score: 80, language: 'zh' });
  const third = reportOf('third', { score: 70 });
  const all = [model, first, second, third];
  const content = composeWeek(
    all.map((report) => publishedEntry('2026-09-22', report)),
    all,
  );
  const summariesOf = (ids: readonly string[]) =>
    ids.map((itemId) => ({ itemIds: [itemId], parts: [{ itemId, say: 'gist' }] }));
  // One entry of each section comes first, then entries in the readers' language. `third` exceeds
  // the limit.
  expect(content?.overview).toEqual(summariesOf(['first', 'model', 'second']));
  expect(content?.sections.map(({ label, summary }) => [label, summary])).toEqual([
    ['Models', []],
    ['Industry', summariesOf(['first', 'second'])],
  ]);
});

test('omits withdrawn items and entries that an operator removed from a daily', () => {
  const [withdrawnReport, removedReport, bestReport] = ['gone', 'removed', 'best'].map((id) =>
    reportOf(id),
  );
  if (!withdrawnReport || !removedReport || !bestReport)
    throw new Error('the test needs three reports');
  const removedEntry = publishedEntry('2026-09-22', removedReport);
  const edited = publishedEntry('2026-09-22', bestReport);
  const published: readonly PublishedEntry[] = [
    publishedEntry('2026-09-21', withdrawnReport),
    { ...removedEntry, entry: { ...removedEntry.entry, edit: { isRemoved: true } } },
    { ...edited, entry: { ...edited.entry, edit: { title: 'An operator’s words' } } },
  ];
  const content = composeWeek(published, [removedReport, bestReport]);
  expect(content?.leads).toEqual(['best']);
  expect(content?.sections[0]?.entries[0]?.edit).toEqual({ title: 'An operator’s words' });
  expect(composeWeek([publishedEntry('2026-09-21', withdrawnReport)], [])).toBeNull();
  expect(composeWeek([], [])).toBeNull();
});

test('a report that a daily counted can lead, unless an operator edited the entry', () => {
  const [chinese, english] = [
    reportOf('zh', { story_id: 's', language: 'zh' }),
    reportOf('en', { story_id: 's', score: 50 }),
  ];
  const daily = publishedEntry('2026-09-22', chinese, [english]);
  expect(composeWeek([daily], [chinese, english])?.leads).toEqual(['en']);
  const edited = { ...daily, entry: { ...daily.entry, edit: { title: '磨坊周一开张' } } };
  expect(composeWeek([edited], [chinese, english])?.leads).toEqual(['zh']);
});

test('an event from before the week states its start; one of this week does not', () => {
  const [oldReport, current] = ['old', 'fresh'].map((id) => reportOf(id));
  if (!oldReport || !current) throw new Error('the test needs two reports');
  const since = { date: '2026-09-10', itemIds: ['older'] };
  const inWeek = { date: '2026-09-21', itemIds: ['old'] };
  const withSince = (entry: PublishedEntry, other: typeof since) => ({
    ...entry,
    entry: { ...entry.entry, since: other },
  });
  const content = composeWeek(
    [
      withSince(publishedEntry('2026-09-22', oldReport), since),
      withSince(publishedEntry('2026-09-23', current), inWeek),
    ],
    [oldReport, current],
  );
  const sinceDates = content?.sections.flatMap(({ entries }) =>
    entries.map((entry) => [entry.itemId, entry.since]),
  );
  expect(new Map(sinceDates as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['old', since],
      ['fresh', null],
    ]),
  );
});

test('a split story counts as covered in both of its parts', () => {
  const [a, b] = [reportOf('a', { story_id: 'one' }), reportOf('b', { story_id: 'two' })];
  const events = eventKeys([a, b].map((report) => ({ ...report, item_id: report.id })));
  expect([...coverageOf([publishedEntry('2026-09-22', a, [b])], events).keys()]).toEqual([
    'one',
    'two',
  ]);
});
