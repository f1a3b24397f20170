// An operator's changes to a report: a changed text, a removed and a restored entry, a note. Each
// names the version that it was based on.
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
let first: string;
let second: string;

beforeAll(async () => {
  first = await publisher.publish({
    title: 'Alder opens a mill',
    at: '2026-09-23T09:00',
    score: 90,
  });
  second = await publisher.publish({ title: 'Birch closes one', at: '2026-09-23T11:00' });
  clock.set(shanghai('2026-09-24T08:00'));
  await writeDueReports(world, db, context, new AbortController().signal);
});

async function applyChange(change: ReportChange, more: { version?: number; note?: string } = {}) {
  clock.advance(60_000);
  const { version, note = null } = more;
  const correction = { kind: 'daily', key, version, change, note, actor: 'test' } as const;
  return correctReport(world, db, context, correction);
}

async function daily(): Promise<DailyBody> {
  return (await readReportRecord(db, 'daily', key))?.body as DailyBody;
}

test('a corrected entry shows everywhere until the correction is undone', async () => {
  const before = await daily();
  const edited = await applyChange({ action: 'edit', itemId: first, title: 'Alder opened a mill' });
  expect(edited).toMatchObject({ kind: 'corrected', version: 2 });
  const after = await daily();
  expect(after.lead?.title).toBe('Alder opened a mill');
  expect(after.sections[0]?.items[0]?.title).toBe('Alder opened a mill');
  const note = `The title was “${before.lead?.title}”; it is now “Alder opened a mill”.`;
  expect(after.corrections).toEqual([{ at: clock.now(), note }]);
  expect(after.generatedAt).toBe(clock.now());
  await applyChange({ action: 'edit', itemId: first, title: null });
  expect(await daily()).toMatchObject({ lead: before.lead, sections: before.sections });
});

test('a removed entry leaves the lead too, and can be restored', async () => {
  const before = await daily();
  await applyChange({ action: 'remove', itemId: first }, { note: 'It was told twice.' });
  const after = await daily();
  expect(after.lead?.title).toBe('Birch closes one');
  expect(after.sections[0]?.items.map(({ itemId }) => itemId)).toEqual([second]);
  expect(after.corrections[0]?.note).toBe('It was told twice.');
  await applyChange({ action: 'restore', itemId: first });
  expect(await daily()).toMatchObject({ lead: before.lead, sections: before.sections });
});

test('a note changes only the list of corrections', async () => {
  const before = await daily();
  await applyChange({ action: 'note' }, { note: 'The mill is in the north.' });
  const after = await daily();
  const added = { at: clock.now(), note: 'The mill is in the north.' };
  expect(after).toEqual({
    ...before,
    generatedAt: clock.now(),
    corrections: [added, ...before.corrections],
  });
});

test('refuses a correction of an outdated version', async () => {
  const before = await readReportRecord(db, 'daily', key);
  const version = before?.version ?? 0;
  const change = { action: 'edit', itemId: first, title: 'Too late' } as const;
  const late = await applyChange(change, { version: version - 1 });
  expect(late).toEqual({ kind: 'overtaken', current: version });
  expect(await readReportRecord(db, 'daily', key)).toEqual(before);
  const timely = await applyChange({ ...change, title: 'In time' }, { version });
  expect(timely).toMatchObject({ kind: 'corrected', version: version + 1 });
});

test('reports unknown entries and corrections without effect', async () => {
  const title = 'In time';
  expect(await applyChange({ action: 'edit', itemId: first, title })).toMatchObject({
    kind: 'unchanged',
  });
  expect(await applyChange({ action: 'restore', itemId: first })).toMatchObject({
    kind: 'unchanged',
  });
  expect(await applyChange({ action: 'remove', itemId: 'nobody' })).toEqual({
    kind: 'unknown-entry',
  });
  const otherReport = {
    kind: 'daily',
    key: '2026-09-25',
    version: undefined,
    change: { action: 'note' },
    note: 'Nothing to note',
    actor: 'test',
  } as const;
  expect(await correctReport(world, db, context, otherReport)).toEqual({ kind: 'unknown-report' });
});

test('a note never repeats withdrawn text, whenever it was written', async () => {
  await applyChange({ action: 'note' }, { note: 'That mill will never open.' });
  const act = (action: 'withdraw' | 'restore') =>
    changeItem(world, db, first, { action, actor: 'test', note: null });
  clock.advance(60_000);
  await act('withdraw');
  await applyChange(
    { action: 'note' },
    { note: 'On “ALDER OPENS  A MILL”: the court has spoken.' },
  );
  await applyChange({ action: 'note' }, { note: 'A court has spoken.' });
  const notes = (await daily()).corrections.map(({ note }) => note);
  expect(notes.slice(0, 4)).toEqual([
    'A court has spoken.',
    'This report was corrected.',
    'An item was withdrawn. Text that depended on it is no longer part of this report.',
    'This report was corrected.',
  ]);
  expect(notes.filter((note) => note.toLowerCase().includes('mill'))).toEqual([]);
  await act('restore');
  expect((await daily()).corrections.map(({ note }) => note)).toContain(
    'The mill is in the north.',
  );
});
