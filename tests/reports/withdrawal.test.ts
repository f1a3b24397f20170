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
let firstItem: string;
let secondItem: string;
let copyItem: string;

/** The reports are written at this instant. Each action is one minute later than the last. */
const START = shanghai('2026-09-28T12:00');

async function changeTestItem(itemId: string, action: 'withdraw' | 'restore'): Promise<number> {
  clock.advance(60_000);
  await changeItem(world, db, itemId, { action, actor: 'test', note: 'private' });
  return clock.now();
}

async function correctItem(itemId: string, fields: { title?: string | null; category?: string }) {
  clock.advance(60_000);
  const change = { action: 'correct', fields } as const;
  await changeItem(world, db, itemId, { ...change, actor: 'test', note: null });
  return clock.now();
}

const daily = async () => (await readReportRecord(db, 'daily', '2026-09-24'))?.body as DailyBody;
const weekly = async () => (await readReportRecord(db, 'weekly', '2026-W39'))?.body as WeeklyBody;

beforeAll(async () => {
  firstItem = await publisher.publish({
    title: 'Alder opens a mill',
    at: '2026-09-23T09:00',
    score: 90,
  });
  copyItem = await publisher.publish({
    title: 'Mill of Alder opens',
    at: '2026-09-23T10:00',
    owner: 'The Echo',
    sameAs: firstItem,
  });
  secondItem = await publisher.publish({
    title: 'Birch closes one of its three mills',
    at: '2026-09-23T11:00',
    score: 50,
  });
  clock.set(START);
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
const countedText = `${sentence} Also reported by The Echo.`;

test('writes a daily report', async () => {
  expect(await daily()).toEqual({
    kind: 'daily',
    date: '2026-09-24',
    generatedAt: START,
    windowStart: shanghai('2026-09-23T08:00'),
    windowEnd: shanghai('2026-09-24T08:00'),
    corrections: [],
    lead: { title: 'Alder opens a mill', leadParagraph: countedText },
    sections: [
      {
        category: 'industry',
        label: 'Industry',
        items: [
          { ...entry(firstItem, 'Alder opens a mill', countedText), ownText: sentence },
          entry(secondItem, 'Birch closes one of its three mills', undefined, '11:00'),
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
    generatedAt: START,
    windowStart: shanghai('2026-09-20T08:00'),
    windowEnd: shanghai('2026-09-27T08:00'),
    corrections: [],
    headline: 'Alder opens a mill',
    overview: 'Birch closes one of its three mills.',
    sections: [
      {
        category: 'industry',
        label: 'Industry',
        summary: null,
        items: [
          { ...entry(firstItem, 'Alder opens a mill', countedText), ownText: sentence },
          entry(secondItem, 'Birch closes one of its three mills', undefined, '11:00'),
        ],
      },
    ],
  });
});

const WITHDRAWN_NOTE =
  'An item was withdrawn. Text that depended on it is no longer part of this report.';
const RESTORED_NOTE = 'A withdrawn item was restored.';
const CORRECTED_NOTE = 'The title was “Alder opens a mill”; it is now “Alder opens two mills”.';
const UNDONE_NOTE = 'The title was “Alder opens two mills”; it is now “Alder opens a mill”.';

test('a withdrawn item disappears, the next item leads, and a restored item returns', async () => {
  const reportBefore = [await daily(), await weekly()] as const;
  const withdrawnAt = await changeTestItem(firstItem, 'withdraw');
  const corrections = [{ at: withdrawnAt, note: WITHDRAWN_NOTE }];
  const remainingEntry = entry(
    secondItem,
    'Birch closes one of its three mills',
    undefined,
    '11:00',
  );
  const section = { category: 'industry', label: 'Industry', items: [remainingEntry] };
  expect(await daily()).toEqual({
    ...reportBefore[0],
    generatedAt: withdrawnAt,
    corrections,
    lead: {
      title: 'Birch closes one of its three mills',
      leadParagraph: summaryOf('Birch closes one of its three mills'),
    },
    sections: [section],
  });
  expect(await weekly()).toEqual({
    ...reportBefore[1],
    generatedAt: withdrawnAt,
    corrections,
    headline: 'Birch closes one of its three mills',
    overview: null,
    sections: [{ ...section, summary: null }],
  });
  const backAt = await changeTestItem(firstItem, 'restore');
  const bothNotes = [{ at: backAt, note: RESTORED_NOTE }, ...corrections];
  expect(await daily()).toEqual({
    ...reportBefore[0],
    generatedAt: backAt,
    corrections: bothNotes,
  });
  expect(await weekly()).toEqual({
    ...reportBefore[1],
    generatedAt: backAt,
    corrections: bothNotes,
  });
});

test('a withdrawn copy is no longer named as another report', async () => {
  const reportBefore = await daily();
  const withdrawnAt = await changeTestItem(copyItem, 'withdraw');
  const reportAfter = await daily();
  expect(reportAfter.lead?.leadParagraph).toBe(sentence);
  expect(reportAfter.corrections).toEqual([
    { at: withdrawnAt, note: WITHDRAWN_NOTE },
    ...reportBefore.corrections,
  ]);
  await changeTestItem(copyItem, 'restore');
  expect((await daily()).lead?.leadParagraph).toBe(countedText);
});

test('a correction shows everywhere, and undoing it restores the text', async () => {
  const reportBefore = [await daily(), await weekly()] as const;
  const at = await correctItem(firstItem, { title: 'Alder opens two mills' });
  const [day, week] = [await daily(), await weekly()];
  expect(day.lead?.title).toBe('Alder opens two mills');
  expect(day.sections[0]?.items[0]?.title).toBe('Alder opens two mills');
  expect(week.headline).toBe('Alder opens two mills');
  expect(week.corrections).toEqual([{ at, note: CORRECTED_NOTE }, ...reportBefore[1].corrections]);
  const backAt = await correctItem(firstItem, { title: null });
  const corrections = [
    { at: backAt, note: UNDONE_NOTE },
    { at, note: CORRECTED_NOTE },
    ...reportBefore[0].corrections,
  ];
  expect(await daily()).toEqual({ ...reportBefore[0], generatedAt: backAt, corrections });
});

test('another category or a later source change does not change a report', async () => {
  const reportBefore = await daily();
  await correctItem(firstItem, { category: 'opinion' });
  await publisher.edit(firstItem, 'Alder never opened anything');
  expect(await daily()).toEqual(reportBefore);
});

test('a correction to the source’s current title changes the title of the report', async () => {
  // The source has changed this title before, but the report kept its own.
  await correctItem(firstItem, { title: 'Alder never opened anything' });
  expect((await daily()).lead?.title).toBe('Alder never opened anything');
  await correctItem(firstItem, { title: null });
});

test('a report without entries stays published', async () => {
  const at = await changeTestItem(secondItem, 'withdraw');
  const lastWithdrawalAt = await changeTestItem(firstItem, 'withdraw');
  const day = await daily();
  expect(day).toMatchObject({
    lead: null,
    sections: [],
    flashes: [],
    generatedAt: lastWithdrawalAt,
  });
  expect(day.corrections.slice(0, 2)).toEqual([
    { at: lastWithdrawalAt, note: WITHDRAWN_NOTE },
    { at, note: WITHDRAWN_NOTE },
  ]);
  expect(await weekly()).toMatchObject({ headline: null, overview: null, sections: [] });
  await changeTestItem(secondItem, 'restore');
  await changeTestItem(firstItem, 'restore');
  expect((await daily()).sections[0]?.items).toHaveLength(2);
});
