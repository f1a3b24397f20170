// What an edition is made from, read in the transaction that writes it.
import type { Db } from '../../kernel/ports/db.ts';
import { entriesOf } from '../../store/radar/publication/report-content.ts';
import {
  claimsOfItems,
  eventsOfItems,
  materialOf,
  materialOfWindow,
} from '../../store/radar/publication/report-material.ts';
import { dailiesDated, type StoredReport } from '../../store/radar/publication/reports.ts';
import type { DailyMaterial } from './compose-daily.ts';
import type { PeriodMaterial } from './compose-period.ts';
import { factsOf, type Told, tellingsOf } from './earlier.ts';
import { daysBefore, type ReportEdition } from './editions.ts';
import { eventKeys } from './events.ts';

export async function dailyMaterial(
  tx: Db,
  edition: ReportEdition,
  remembersDays: number,
): Promise<DailyMaterial> {
  const reports = await materialOfWindow(tx, edition.windowStart, edition.windowEnd);
  const day = edition.firstDay;
  const told = toldIn(await dailiesDated(tx, daysBefore(day, remembersDays), daysBefore(day, 1)));
  const windowIds = reports.map((report) => report.id);
  const events = eventKeys(await eventsOfItems(tx, [...itemsOf(told), ...windowIds]));
  const tellings = tellingsOf(told, events);
  const again = reports.filter((report) => tellings.has(events.get(report.id) ?? ''));
  const toldAgain = again.flatMap((report) => [
    ...(tellings.get(events.get(report.id) ?? '')?.itemIds ?? []),
  ]);
  const asked = new Set([...again.map((report) => report.id), ...toldAgain]);
  const claims = await claimsOfItems(tx, [...asked]);
  const facts = new Map(claims.map((row) => [row.item_id, factsOf(row.claims)]));
  return { reports, tellings, events, facts };
}

export async function periodMaterial(tx: Db, edition: ReportEdition): Promise<PeriodMaterial> {
  const told = toldIn(await dailiesDated(tx, edition.firstDay, edition.lastDay));
  const ids = itemsOf(told);
  const events = eventKeys(await eventsOfItems(tx, ids));
  const reports = new Map((await materialOf(tx, ids)).map((report) => [report.id, report]));
  return { told, events, reports };
}

function toldIn(dailies: readonly StoredReport[]): readonly Told[] {
  return dailies.flatMap(({ key: date, content }) =>
    entriesOf(content).map((entry) => ({ date, entry })),
  );
}

function itemsOf(told: readonly Told[]): readonly string[] {
  const ids = told.flatMap(({ entry }) => [
    entry.itemId,
    ...entry.others.map((other) => other.itemId),
  ]);
  return [...new Set(ids)];
}
