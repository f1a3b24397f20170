// A model writes the headline and overview of a weekly report. Each sentence cites entries. A
// sentence is removed when an operator withdraws or corrects one of these entries.
import { expect, test } from 'vitest';
import { openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { WeeklyBody } from '../../src/radar/publication/documents/report-body.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { openReportPublisher, openTestReportContext, shanghai } from '../reports/publish-item.ts';
import { openModelApp } from '../support/model-services.ts';

const server = await openModelServer({});
const { world, clock, db, services } = await openModelApp(server.url);
const publisher = await openReportPublisher(world, clock, db);
const context = { ...(await openTestReportContext()), prose: services.prose };
const { signal } = new AbortController();

async function readWeekly(): Promise<WeeklyBody> {
  const record = await readReportRecord(db, 'weekly', '2026-W39');
  if (record === null) throw new Error('the weekly is not public');
  return record.body as WeeklyBody;
}

const firstItemId = await publisher.publish({
  title: 'Halden Labs opens a data centre in Tallinn',
  at: '2026-09-22T10:00',
  score: 90,
  summary: 'Halden Labs opened a data centre in Tallinn with 40 megawatts on Tuesday.',
});
await publisher.publish({
  title: 'Orrery raises $80 million',
  at: '2026-09-23T10:00',
  owner: 'The Wire',
  summary: 'Orrery raised $80 million from Northgate Capital in a second round this week.',
});

test('the headline and the overview are written from the entries', async () => {
  clock.set(shanghai('2026-09-28T10:05'));
  const writtenReports = await writeDueReports(world, db, context, signal);
  expect(writtenReports.map(({ period }) => period.key)).toContain('2026-W39');
  const requestedSteps = server.billed.filter(({ step }) => step === 'report');
  expect(requestedSteps).toHaveLength(1);
  // The demonstration's model begins with the last entry, and rules with the first one.
  const { headline, overview } = await readWeekly();
  expect(headline).toBe('Halden Labs opens a data centre in Tallinn');
  expect(overview).toBe(
    'Orrery raised $80 million from Northgate Capital in a second round this week. ' +
      'Halden Labs opened a data centre in Tallinn with 40 megawatts on Tuesday.',
  );
});

test('a sentence is removed while an operator’s correction of its entry applies', async () => {
  const fields = {
    summary: 'Halden Labs opened something in Tallinn, says whoever corrects this.',
  };
  const correct = { action: 'correct', actor: 'a test', note: null } as const;
  await changeItem(world, db, firstItemId, { ...correct, fields });
  expect((await readWeekly()).overview).toBe(
    'Orrery raised $80 million from Northgate Capital in a second round this week.',
  );
  await changeItem(world, db, firstItemId, { ...correct, fields: { summary: null } });
  expect((await readWeekly()).overview).toContain('week. Halden Labs opened a data centre');
});

test('the headline and the sentences of a withdrawn entry are removed', async () => {
  await changeItem(world, db, firstItemId, { action: 'withdraw', actor: 'a test', note: null });
  const body = await readWeekly();
  expect(body.headline).toBe('Orrery raises $80 million');
  expect(JSON.stringify(body)).not.toContain('Halden');
});
