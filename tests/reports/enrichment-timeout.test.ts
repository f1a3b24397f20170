// A report waits for items of the window's last minutes that are still in enrichment, but only for
// a limited time.
import { expect, test } from 'vitest';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { markEnriched } from '../../src/store/radar/sources/items.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai } from './publish-item.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();

async function writeReportsAt(at: string): Promise<readonly string[]> {
  clock.set(shanghai(at));
  const writtenReports = await writeDueReports(world, db, context, new AbortController().signal);
  return writtenReports.map(({ period, outcome }) => `${period.key} ${outcome}`);
}

/** Marks the item as changed by its source, so it waits for enrichment again. */
const markWaiting = (id: string, at: string) =>
  sqlOf(db)
    .updateTable('items')
    .set({ awaits_desk_since: new Date(shanghai(at)) })
    .where('id', '=', id)
    .execute();

test('a report waits for enrichment for a limited time', async () => {
  const item = await publisher.publish({ title: 'Alder opens a mill', at: '2026-09-24T07:59' });
  await markWaiting(item, '2026-09-24T07:59');
  expect(await writeReportsAt('2026-09-24T08:00')).toEqual([]);
  expect(await writeReportsAt('2026-09-24T08:02')).toEqual([]);
  await markEnriched(db, new Map([[item, null]]));
  expect(await writeReportsAt('2026-09-24T08:02')).toEqual(['2026-09-24 written']);

  const slowItem = await publisher.publish({ title: 'Birch closes one', at: '2026-09-25T07:59' });
  await markWaiting(slowItem, '2026-09-25T07:59');
  expect(await writeReportsAt('2026-09-25T08:02:59')).toEqual([]);
  expect(await writeReportsAt('2026-09-25T08:03')).toEqual(['2026-09-25 written']);

  // Items after the window do not delay the report.
  const lateItem = await publisher.publish({ title: 'Cedar moves', at: '2026-09-26T08:00' });
  await markEnriched(db, new Map([[slowItem, null]]));
  await markWaiting(lateItem, '2026-09-26T08:00');
  expect(await writeReportsAt('2026-09-26T08:00')).toEqual(['2026-09-26 empty']);
});
