// Two nodes at the same moment: a due report is written once, and both nodes record an attempt.
import { expect, test } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import {
  listDuePeriods,
  writeDueReports,
  writeReport,
} from '../../src/radar/reports/write-reports.ts';
import { closeDb, openDb, sqlOf } from '../../src/store/platform/db.ts';
import { listReportKeys } from '../../src/store/radar/publication/reports.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai } from './publish-item.ts';

test('two nodes at the same moment write each report once', async () => {
  const { db, connection } = await openTestDatabase();
  const firstWorld = testWorld(1);
  const secondWorld = testWorld(2);
  const publisher = await openReportPublisher(firstWorld.world, firstWorld.clock, db);
  await publisher.publish({ title: 'Alder opens a mill', at: '2026-09-18T09:00' });
  await publisher.publish({ title: 'Birch closes one', at: '2026-09-20T09:00' });
  const context = await openTestReportContext();
  for (const { clock } of [firstWorld, secondWorld]) clock.set(shanghai('2026-10-01T10:30'));
  const otherDb = openDb(secondWorld.world.log, connection, {
    applicationName: 'radar test',
    ...slowConnectOptions,
  });
  const { signal } = new AbortController();
  // Both nodes search for due reports before either node writes, so both find the same reports.
  const nodes: readonly (readonly [World, Db])[] = [
    [firstWorld.world, db],
    [secondWorld.world, otherDb],
  ];
  const dueReports = await Promise.all(
    nodes.map(([world, nodeDb]) => listDuePeriods(world, nodeDb)),
  );
  const rounds = await Promise.all(
    nodes.map(async ([world, nodeDb], node) => {
      const nodeResults = [];
      for (const period of dueReports[node] ?? []) {
        nodeResults.push(await writeReport(world, nodeDb, context, period));
      }
      return nodeResults;
    }),
  );
  const outcomes = Map.groupBy(rounds.flat(), ({ period }) => `${period.kind} ${period.key}`);
  const summary = [...outcomes].map(([name, results]) => [
    name,
    results.map((report) => report.outcome).sort(),
  ]);
  const writtenOutcomes = ['standing', 'written'];
  const emptyOutcomes = ['empty', 'standing'];
  expect(summary).toEqual([
    ['daily 2026-09-19', writtenOutcomes],
    ['daily 2026-09-20', emptyOutcomes],
    ['daily 2026-09-21', writtenOutcomes],
    ['weekly 2026-W38', writtenOutcomes],
    ...['22', '23', '24', '25', '26', '27', '28'].map((day) => [
      `daily 2026-09-${day}`,
      emptyOutcomes,
    ]),
    ['weekly 2026-W39', writtenOutcomes],
    ...['09-29', '09-30', '10-01'].map((day) => [`daily 2026-${day}`, emptyOutcomes]),
    ['monthly 2026-09', writtenOutcomes],
  ]);
  expect(await listReportKeys(db)).toHaveLength(5);
  const runs = await sqlOf(db).selectFrom('report_runs').selectAll().execute();
  expect(runs).toHaveLength(2 * summary.length);
  // No report is due any more.
  expect(await writeDueReports(secondWorld.world, otherDb, context, signal)).toEqual([]);
  await closeDb(otherDb);
});
