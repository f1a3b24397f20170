// Reads the material of a report, in the transaction that writes it.
import type { Db } from '../../kernel/ports/db.ts';
import { entriesOf } from '../../store/radar/publication/report-content.ts';
import {
  listClaimsOfItems,
  listEventsOfItems,
  listMaterialOfItems,
  listMaterialOfWindow,
} from '../../store/radar/publication/report-material.ts';
import { listDailiesBetween, type StoredReport } from '../../store/radar/publication/reports.ts';
import { listReportRoles } from '../../store/radar/stories/story-digests.ts';
import type { DailyMaterial } from './compose-daily.ts';
import type { PeriodMaterial } from './compose-period.ts';
import { eventKeys, type Report } from './events.ts';
import { coverageOf, factsOf, type PublishedEntry } from './published-facts.ts';
import { daysBefore, type ReportPeriod } from './report-periods.ts';

export async function readDailyMaterial(
  tx: Db,
  period: ReportPeriod,
  coverageDays: number,
): Promise<DailyMaterial> {
  const reports = await listMaterialOfWindow(tx, period.windowStart, period.windowEnd);
  const day = period.firstDay;
  const published = publishedEntriesOf(
    await listDailiesBetween(tx, daysBefore(day, coverageDays), daysBefore(day, 1)),
  );
  const windowIds = reports.map((report) => report.id);
  const events = eventKeys(await listEventsOfItems(tx, [...itemsOf(published), ...windowIds]));
  const coverage = coverageOf(published, events);
  const coveredReports = reports.filter((report) => coverage.has(events.get(report.id) ?? ''));
  const earlierItemIds = coveredReports.flatMap((report) => [
    ...(coverage.get(events.get(report.id) ?? '')?.itemIds ?? []),
  ]);
  const itemIds = new Set([...coveredReports.map((report) => report.id), ...earlierItemIds]);
  const claims = await listClaimsOfItems(tx, [...itemIds]);
  const facts = new Map(claims.map((row) => [row.item_id, factsOf(row.claims)]));
  const roles = await listReportRoles(tx, storiesOf(reports));
  return { reports, coverage, events, facts, roles };
}

export async function readPeriodMaterial(tx: Db, period: ReportPeriod): Promise<PeriodMaterial> {
  const published = publishedEntriesOf(
    await listDailiesBetween(tx, period.firstDay, period.lastDay),
  );
  const ids = itemsOf(published);
  const events = eventKeys(await listEventsOfItems(tx, ids));
  const reports = new Map(
    (await listMaterialOfItems(tx, ids)).map((report) => [report.id, report]),
  );
  const roles = await listReportRoles(tx, storiesOf([...reports.values()]));
  return { publishedEntries: published, events, reports, roles };
}

const storiesOf = (reports: readonly Report[]) => [
  ...new Set(reports.flatMap(({ story_id }) => story_id ?? [])),
];

function publishedEntriesOf(dailies: readonly StoredReport[]): readonly PublishedEntry[] {
  return dailies.flatMap(({ key: date, content }) =>
    entriesOf(content).map((entry) => ({ date, entry })),
  );
}

function itemsOf(published: readonly PublishedEntry[]): readonly string[] {
  const ids = published.flatMap(({ entry }) => [
    entry.itemId,
    ...entry.others.map((other) => other.itemId),
  ]);
  return [...new Set(ids)];
}
