// A withdrawn item leaves every report at once, with each sentence that cites it. A restored item
// returns, and every action is one line of the report's history.
import { beforeAll, expect, test } from 'vitest';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { DailyBody, WeeklyBody } from '../../src/radar/publication/documents/report-body.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai, summaryOf } from './publish-item.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();
let first: string;
let second: string;
let copy: string;

/** Each action has its own instant. */
const T0 = shanghai('2026-09-28T12:00');

async function act(itemId: string, action: 'withdraw' | 'restore'): Promise<number> {
  clock.advance(60_000);
  await changeItem(world, db, itemId, { action, actor: 'test', note: 'private' });
  return clock.now();
}

async function correct(itemId: string, fields: { title?: string | null; category?: string }) {
  clock.advance(60_000);
  const change = { action: 'correct', fields } as const;
  await changeItem(world, db, itemId, { ...change, actor: 'test', note: null });
  return clock.now();
}

const daily = async () => (await readReportRecord(db, 'daily', '2026-09-24'))?.body as DailyBody;
const weekly = async () => (await readReportRecord(db, 'weekly', '2026-W39'))?.body as WeeklyBody;

beforeAll(async () => {
  first = await publisher.publish({
    title: 'Alder opens a mill',
    at: '2026-09-23T09:00',
    score: 90,
  });
  copy = await publisher.publish({
    title: 'Mill of Alder opens',
    at: '2026-09-23T10:00',
    owner: 'The Echo',
    sameAs: first,
  });
  second = await publisher.publish({
    title: 'Birch closes one',
    at: '2026-09-23T11:00',
    score: 50,
  });
  clock.set(T0);
  await writeDueReports(world, db, context, new AbortController().signal);
});

const entry = (itemId: string, title: string, summary = summaryOf(title), at = '09:00') => ({
  itemId,
  title,
  summary,
  sourceName: 'The Press',
  originalUrl: `https://press.example/${itemId}`,
  publishedAt: shanghai(`2026-09-23T${at}`),
});

const sentence = summaryOf('Alder opens a mill');
const counted = `${sentence} Also reported by The Echo.`;

test('writes a daily report', async () => {
  expect(await daily()).toEqual({
    kind: 'daily',
    date: '2026-09-24',
    generatedAt: T0,
    windowStart: shanghai('2026-09-23T08:00'),
    windowEnd: shanghai('2026-09-24T08:00'),
    corrections: [],
    lead: { title: 'Alder opens a mill', leadParagraph: counted },
    sections: [
      {
        category: 'industry',
        label: 'Industry',
        items: [
          { ...entry(first, 'Alder opens a mill', counted), ownText: sentence },
          entry(second, 'Birch closes one', undefined, '11:00'),
        ],
      },
    ],
    flashes: [],
  });
});

test('writes a weekly report', async () => {
  expect(await weekly()).toEqual({
    kind: 'weekly',
    key: '2026-W39',
    periodStart: '2026-09-21',
    periodEnd: '2026-09-27',
    generatedAt: T0,
    windowStart: shanghai('2026-09-20T08:00'),
    windowEnd: shanghai('2026-09-27T08:00'),
    corrections: [],
    headline: 'Alder opens a mill',
    overview: 'Birch closes one.',
    sections: [
      {
        category: 'industry',
        label: 'Industry',
        summary: null,
        items: [
          { ...entry(first, 'Alder opens a mill', counted), ownText: sentence },
          entry(second, 'Birch closes one', undefined, '11:00'),
        ],
      },
    ],
  });
});

const GONE = 'An item was withdrawn. Text that depended on it is no longer part of this report.';
const BACK = 'A withdrawn item was restored.';
const CORRECTED = 'The title was “Alder opens a mill”; it is now “Alder opens two mills”.';
const TAKEN_BACK = 'The title was “Alder opens two mills”; it is now “Alder opens a mill”.';

test('a withdrawn report leaves and the next leads; a restored one returns', async () => {
  const before = [await daily(), await weekly()] as const;
  const goneAt = await act(first, 'withdraw');
  const corrections = [{ at: goneAt, note: GONE }];
  const remainingEntry = entry(second, 'Birch closes one', undefined, '11:00');
  const section = { category: 'industry', label: 'Industry', items: [remainingEntry] };
  expect(await daily()).toEqual({
    ...before[0],
    generatedAt: goneAt,
    corrections,
    lead: { title: 'Birch closes one', leadParagraph: summaryOf('Birch closes one') },
    sections: [section],
  });
  expect(await weekly()).toEqual({
    ...before[1],
    generatedAt: goneAt,
    corrections,
    headline: 'Birch closes one',
    overview: null,
    sections: [{ ...section, summary: null }],
  });
  const backAt = await act(first, 'restore');
  const both = [{ at: backAt, note: BACK }, ...corrections];
  expect(await daily()).toEqual({ ...before[0], generatedAt: backAt, corrections: both });
  expect(await weekly()).toEqual({ ...before[1], generatedAt: backAt, corrections: both });
});

test('a withdrawn report leaves the counts', async () => {
  const before = await daily();
  const goneAt = await act(copy, 'withdraw');
  const after = await daily();
  expect(after.lead?.leadParagraph).toBe(sentence);
  expect(after.corrections).toEqual([{ at: goneAt, note: GONE }, ...before.corrections]);
  await act(copy, 'restore');
  expect((await daily()).lead?.leadParagraph).toBe(counted);
});

test('a correction shows everywhere, and undoing it restores the text', async () => {
  const before = [await daily(), await weekly()] as const;
  const at = await correct(first, { title: 'Alder opens two mills' });
  const [day, week] = [await daily(), await weekly()];
  expect(day.lead?.title).toBe('Alder opens two mills');
  expect(day.sections[0]?.items[0]?.title).toBe('Alder opens two mills');
  expect(week.headline).toBe('Alder opens two mills');
  expect(week.corrections).toEqual([{ at, note: CORRECTED }, ...before[1].corrections]);
  const backAt = await correct(first, { title: null });
  const corrections = [
    { at: backAt, note: TAKEN_BACK },
    { at, note: CORRECTED },
    ...before[0].corrections,
  ];
  expect(await daily()).toEqual({ ...before[0], generatedAt: backAt, corrections });
});

test('another category or a later source change does not change a report', async () => {
  const before = await daily();
  await correct(first, { category: 'opinion' });
  await publisher.edit(first, 'Alder never opened anything');
  expect(await daily()).toEqual(before);
});

test('a hidden change of an item may still change the report', async () => {
  // The source's text has changed; the report keeps its own.
  await correct(first, { title: 'Alder never opened anything' });
  expect((await daily()).lead?.title).toBe('Alder never opened anything');
  await correct(first, { title: null });
});

test('a report without entries stays published', async () => {
  const at = await act(second, 'withdraw');
  const last = await act(first, 'withdraw');
  const day = await daily();
  expect(day).toMatchObject({ lead: null, sections: [], flashes: [], generatedAt: last });
  expect(day.corrections.slice(0, 2)).toEqual([
    { at: last, note: GONE },
    { at, note: GONE },
  ]);
  expect(await weekly()).toMatchObject({ headline: null, overview: null, sections: [] });
  await act(second, 'restore');
  await act(first, 'restore');
  expect((await daily()).sections[0]?.items).toHaveLength(2);
});
