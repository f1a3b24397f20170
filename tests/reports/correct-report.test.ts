// An operator's changes to a report: a changed text, a removed and a restored entry, and a note.
// Each change names the version that it is based on.
import { beforeAll, expect, test } from 'vitest';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { DailyBody } from '../../src/radar/publication/documents/report-body.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { correctReport, type ReportChange } from '../../src/radar/reports/correct-report.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai } from './publish-item.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();
const key = '2026-09-24';
let firstItem: string;
let secondItem: string;

beforeAll(async () => {
  firstItem = await publisher.publish({
    title: 'Alder opens a mill',
    at: '2026-09-23T09:00',
    score: 90,
  });
  secondItem = await publisher.publish({ title: 'Birch closes one', at: '2026-09-23T11:00' });
  clock.set(shanghai('2026-09-24T08:00'));
  await writeDueReports(world, db, context, new AbortController().signal);
});

async function applyChange(
  change: ReportChange,
  options: { version?: number; note?: string } = {},
) {
  clock.advance(60_000);
  const { version, note = null } = options;
  const correction = { kind: 'daily', key, version, change, note, actor: 'test' } as const;
  return correctReport(world, db, context, correction);
}

async function readDaily(): Promise<DailyBody> {
  return (await readReportRecord(db, 'daily', key))?.body as DailyBody;
}

test('a corrected entry shows everywhere until the correction is undone', async () => {
  const reportBefore = await readDaily();
  const editedOutcome = await applyChange({
    action: 'edit',
    itemId: firstItem,
    title: 'Alder opened a mill',
  });
  expect(editedOutcome).toMatchObject({ kind: 'corrected', version: 2 });
  const reportAfter = await readDaily();
  expect(reportAfter.lead?.title).toBe('Alder opened a mill');
  expect(reportAfter.sections[0]?.items[0]?.title).toBe('Alder opened a mill');
  const note = `The title was “${reportBefore.lead?.title}”; it is now “Alder opened a mill”.`;
  expect(reportAfter.corrections).toEqual([{ at: clock.now(), note }]);
  expect(reportAfter.generatedAt).toBe(clock.now());
  await applyChange({ action: 'edit', itemId: firstItem, title: null });
  expect(await readDaily()).toMatchObject({
    lead: reportBefore.lead,
    sections: reportBefore.sections,
  });
});

test('a removed entry also leaves the lead, and can be restored', async () => {
  const reportBefore = await readDaily();
  await applyChange({ action: 'remove', itemId: firstItem }, { note: 'It was told twice.' });
  const reportAfter = await readDaily();
  expect(reportAfter.lead?.title).toBe('Birch closes one');
  expect(reportAfter.sections[0]?.items.map(({ itemId }) => itemId)).toEqual([secondItem]);
  expect(reportAfter.corrections[0]?.note).toBe('It was told twice.');
  await applyChange({ action: 'restore', itemId: firstItem });
  expect(await readDaily()).toMatchObject({
    lead: reportBefore.lead,
    sections: reportBefore.sections,
  });
});

test('a note changes only the list of corrections', async () => {
  const reportBefore = await readDaily();
  await applyChange({ action: 'note' }, { note: 'The mill is in the north.' });
  const reportAfter = await readDaily();
  const addedNote = { at: clock.now(), note: 'The mill is in the north.' };
  expect(reportAfter).toEqual({
    ...reportBefore,
    generatedAt: clock.now(),
    corrections: [addedNote, ...reportBefore.corrections],
  });
});

test('refuses a correction of an outdated version', async () => {
  const reportBefore = await readReportRecord(db, 'daily', key);
  const version = reportBefore?.version ?? 0;
  const change = { action: 'edit', itemId: firstItem, title: 'Too late' } as const;
  const lateOutcome = await applyChange(change, { version: version - 1 });
  expect(lateOutcome).toEqual({ kind: 'conflict', current: version });
  expect(await readReportRecord(db, 'daily', key)).toEqual(reportBefore);
  const timelyOutcome = await applyChange({ ...change, title: 'In time' }, { version });
  expect(timelyOutcome).toMatchObject({ kind: 'corrected', version: version + 1 });
});

test('reports unknown entries and corrections without effect', async () => {
  const title = 'In time';
  expect(await applyChange({ action: 'edit', itemId: firstItem, title })).toMatchObject({
    kind: 'unchanged',
  });
  expect(await applyChange({ action: 'restore', itemId: firstItem })).toMatchObject({
    kind: 'unchanged',
  });
  expect(await applyChange({ action: 'remove', itemId: 'nobody' })).toEqual({
    kind: 'unknown_entry',
  });
  const otherReport = {
    kind: 'daily',
    key: '2026-09-25',
    version: undefined,
    change: { action: 'note' },
    note: 'Nothing to note',
    actor: 'test',
  } as const;
  expect(await correctReport(world, db, context, otherReport)).toEqual({ kind: 'unknown_report' });
});

test('a note never repeats withdrawn text, whenever it was written', async () => {
  await applyChange({ action: 'note' }, { note: 'That mill will never open.' });
  const changeTestItem = (action: 'withdraw' | 'restore') =>
    changeItem(world, db, firstItem, { action, actor: 'test', note: null });
  clock.advance(60_000);
  await changeTestItem('withdraw');
  await applyChange(
    { action: 'note' },
    { note: 'On “ALDER OPENS  A MILL”: the court has spoken.' },
  );
  await applyChange({ action: 'note' }, { note: 'A court has spoken.' });
  const notes = (await readDaily()).corrections.map(({ note }) => note);
  expect(notes.slice(0, 4)).toEqual([
    'A court has spoken.',
    'This report was corrected.',
    'An item was withdrawn. Text that depended on it is no longer part of this report.',
    'This report was corrected.',
  ]);
  expect(notes.filter((note) => note.toLowerCase().includes('mill'))).toEqual([]);
  await changeTestItem('restore');
  expect((await readDaily()).corrections.map(({ note }) => note)).toContain(
    'The mill is in the north.',
  );
});
