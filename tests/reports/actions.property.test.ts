// Random actions of operators and sources on items and reports. After each action, every report
// equals a fresh projection of the stored tables and contains no withdrawn text.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { BodyOf } from '../../src/radar/publication/documents/bodies.ts';
import {
  projectDailies,
  projectMonthlies,
  projectWeeklies,
} from '../../src/radar/publication/documents/project-report.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { correctReport, type ReportChange } from '../../src/radar/reports/correct-report.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { citesOf } from '../../src/store/radar/publication/report-content.ts';
import { findReport, listReportKeys } from '../../src/store/radar/publication/reports.ts';
import type { ReportKind } from '../../src/store/schema/stories.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai } from './publish-item.ts';

const projectors = { daily: projectDailies, weekly: projectWeeklies, monthly: projectMonthlies };
const seed = proofSeed();
const steps = proofSize(60, 2_000);
const random = seededRandom(seed);
const { world, clock } = testWorld(seed);
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();

const randomBelow = (bound: number) => Math.floor(random.next() * bound);
const pickOne = <T>(from: readonly T[]): T => from[randomBelow(from.length)] as T;

/** The number of texts so far. Each text contains its number, so no text contains another one. */
let wordCount = 0;
function newWords(subject: string): string {
  wordCount += 1;
  return `${subject} number ${wordCount} of this test`;
}

type TestItem = {
  readonly id: string;
  isWithdrawn: boolean;
  /** Every text of the item that was ever published. */
  readonly texts: Set<string>;
  /**
   * Texts that an operator may read: the first text, the corrected text, and the current text of
   * the source.
   */
  readonly operatorTexts: string[];
};
const items: TestItem[] = [];
/** Number of corrections that each report must list, by the kind and key of the report. */
const expectedCounts = new Map<string, number>();

async function publishItems(): Promise<void> {
  for (let index = 0; index < 24; index += 1) {
    const title = newWords('News');
    const day = String(22 + (index % 8)).padStart(2, '0');
    const summary = `${newWords('A summary that is long enough')}. ${newWords('Its end')}.`;
    const copiedItem = index % 3 === 2 ? items.at(-1)?.id : undefined;
    const id = await publisher.publish({
      title,
      at: `2026-09-${day}T12:00`,
      owner: `Owner ${index % 5}`,
      category: pickOne(['ai-models', 'industry', 'opinion']),
      score: 40 + randomBelow(60),
      summary,
      ...(copiedItem !== undefined && { sameAs: copiedItem }),
    });
    const texts = [title, summary];
    items.push({ id, isWithdrawn: false, texts: new Set(texts), operatorTexts: texts });
  }
  clock.set(shanghai('2026-10-05T12:00'));
  await writeDueReports(world, db, context, new AbortController().signal);
}

const changeTestItem = (id: string, change: Parameters<typeof changeItem>[3]) =>
  changeItem(world, db, id, change);
const operator = { actor: 'test', note: null };

async function changeRandomItem(): Promise<void> {
  const item = pickOne(items);
  const chance = random.next();
  if (chance < 0.6) {
    const action = item.isWithdrawn ? 'restore' : 'withdraw';
    await changeTestItem(item.id, { action, ...operator });
    item.isWithdrawn = !item.isWithdrawn;
    return countChange(item.id, 'any');
  }
  if (chance < 0.8) {
    const title = random.next() < 0.3 ? null : newWords('Corrected');
    if (title !== null) {
      item.texts.add(title);
      item.operatorTexts.push(title);
    }
    const outcome = await changeTestItem(item.id, {
      action: 'correct',
      fields: { title },
      ...operator,
    });
    return outcome.kind === 'changed' ? countChange(item.id, 'entry') : undefined;
  }
  const title = newWords('Said by its source');
  item.texts.add(title);
  return publisher.edit(item.id, title);
}

/**
 * Expects one more correction in each report that cites the item (`any`), or that has the item as
 * an entry (`entry`).
 */
async function countChange(itemId: string, as: 'any' | 'entry'): Promise<void> {
  for (const { kind, key } of await listReportKeys(db)) {
    const content = (await findReport(db, kind, key))?.content;
    if (!content) continue;
    const entries = [...content.sections.flatMap((section) => section.entries), ...content.flashes];
    const listedIds = as === 'any' ? citesOf(content) : entries.map((entry) => entry.itemId);
    if (listedIds.includes(itemId)) increaseCount(kind, key);
  }
}

const increaseCount = (kind: ReportKind, key: string) =>
  expectedCounts.set(`${kind} ${key}`, (expectedCounts.get(`${kind} ${key}`) ?? 0) + 1);

async function changeRandomReport(): Promise<void> {
  const { kind, key } = pickOne(await listReportKeys(db));
  const content = (await findReport(db, kind, key))?.content;
  const entries = content?.sections.flatMap((section) => section.entries) ?? [];
  if (entries.length === 0) return;
  const entry = pickOne(entries);
  const item = items.find(({ id }) => id === entry.itemId);
  const title = newWords('Edited');
  const change = pickOne<ReportChange>([
    { action: 'edit', itemId: entry.itemId, title },
    { action: 'edit', itemId: entry.itemId, title: null },
    { action: 'remove', itemId: entry.itemId },
    { action: 'restore', itemId: entry.itemId },
    { action: 'note' },
  ]);
  item?.texts.add(title);
  // The note repeats a text of the item, which may be withdrawn now or later.
  const note = change.action === 'note' ? `About “${pickOne(item?.operatorTexts ?? [])}”.` : null;
  const correction = { kind, key, version: undefined, change, note, actor: 'test' };
  const outcome = await correctReport(world, db, context, correction);
  if (outcome.kind === 'corrected') increaseCount(kind, key);
}

async function checkReports(at: string): Promise<void> {
  for (const { kind, key } of await listReportKeys(db)) {
    const body = (await readReportRecord(db, kind, key))?.body as BodyOf<ReportKind>;
    const projection = (await projectors[kind](world, db, [key])).get(key);
    expect(body, `${at}: ${kind} ${key}`).toEqual(JSON.parse(JSON.stringify(projection?.body)));
    const text = JSON.stringify(body);
    for (const { id, isWithdrawn, texts } of items) {
      if (!isWithdrawn) continue;
      for (const words of [id, ...texts]) {
        expect(text.includes(words), `${at}: ${kind} ${key} contains ${words}`).toBe(false);
      }
    }
    const { corrections, generatedAt } = body;
    expect(corrections.length, `${at}: ${kind} ${key}`).toBe(
      expectedCounts.get(`${kind} ${key}`) ?? 0,
    );
    if (corrections[0]) expect(generatedAt).toBe(corrections[0].at);
    const instants = corrections.map((correction) => correction.at);
    expect(instants).toEqual([...instants].sort((a, b) => b - a));
  }
}

test('a report equals a fresh projection and contains nothing withdrawn', async () => {
  process.stdout.write(`actions on reports: ${steps} steps, seed ${seed}\n`);
  await publishItems();
  const kinds = (await listReportKeys(db)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'daily')).toHaveLength(8);
  expect(kinds.filter((kind) => kind === 'weekly')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'monthly')).toHaveLength(1);
  await checkReports('as written');
  for (let step = 0; step < steps; step += 1) {
    clock.advance(60_000);
    await (random.next() < 0.7 ? changeRandomItem() : changeRandomReport());
    await checkReports(`step ${step}`);
  }
  const correctionTotal = [...expectedCounts.values()].reduce((sum, count) => sum + count, 0);
  expect(correctionTotal).toBeGreaterThan(steps / 2);
  for (const item of items.filter((item) => item.isWithdrawn)) {
    await changeTestItem(item.id, { action: 'restore', ...operator });
    item.isWithdrawn = false;
    await countChange(item.id, 'any');
  }
  await checkReports('at the end');
}, 1_800_000);
