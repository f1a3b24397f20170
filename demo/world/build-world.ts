// Builds the whole world from one seed around `now`: plan, reports, single articles, roundups, and
// later changes by publishers. The same seed and `now` give the same bytes.

import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { assignReports, type PlacedReport } from './assign-reports.ts';
import { makeSmallCompanies, principals } from './cast.ts';
import { withEdits, withRepublications, withWithdrawals } from './edits-and-withdrawals.ts';
import { type Deck, openDeck, pick } from './grammar.ts';
import { planEvents } from './plan-events.ts';
import { publisherOf } from './publishers.ts';
import { writeRoundups, writeSingleArticles } from './singles.ts';
import type { DemoWorld, EntryWithoutKey, WorldEntry, WorldEvent } from './world-model.ts';
import { type ReportWriter, type Text, writeReport } from './write-report.ts';

export type WorldInput = {
  readonly seed: number;
  /** Epoch milliseconds; forty days lie before it, ten after. */
  readonly now: number;
  /** Approximate number of entries in the forty days before `now`; about 1,700 when absent. */
  readonly items?: number | undefined;
};

/**
 * Measured number of entries before `now` per unit of scale. Large worlds mostly have small
 * companies.
 */
const itemsPerScale = (items: number) => (items > 4000 ? 1110 : 1700);

export function buildWorld(input: WorldInput): DemoWorld {
  const random = seededRandom(input.seed);
  const scale =
    input.items === undefined ? 1 : Math.max(0.1, input.items / itemsPerScale(input.items));
  const companies = [
    ...principals,
    ...makeSmallCompanies(Math.round(11 * Math.max(1, scale)), random),
  ];
  const events = planEvents({ random, now: input.now, companies, scale });
  const writer = openWriter(events, random);
  const titles = new Map<string, string>();
  const reports = events.flatMap((event) => writeReports(writer, event, titles));
  const otherEntries = [
    ...writeSingleArticles(input.now, random),
    ...writeRoundups({ events, now: input.now, random }),
  ];
  const entriesWithKeys = assignKeys([...reports, ...otherEntries]);
  const entries = withRepublications(
    withWithdrawals(withEdits(entriesWithKeys, writer, events), random),
    input.now,
  );
  return {
    seed: input.seed,
    now: input.now,
    companies,
    events,
    entries: [...entries].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1)),
  };
}

function openWriter(
  events: readonly WorldEvent[],
  random: Random,
): ReportWriter & { readonly deck: Deck } {
  const templatesByEvent = new Map<string, Set<string>>();
  const byCompany = Map.groupBy(events, (event) => event.company.id);
  const byType = Map.groupBy(events, (event) => event.type);
  return {
    random,
    deck: openDeck(random),
    usedFor: (eventId) => {
      const usedTemplates = templatesByEvent.get(eventId) ?? new Set();
      templatesByEvent.set(eventId, usedTemplates);
      return usedTemplates;
    },
    background: (event, kind) => {
      const candidates =
        (kind === 'backref' ? byCompany.get(event.company.id) : byType.get(event.type)) ?? [];
      for (let attempt = 0; attempt < 12 && candidates.length > 0; attempt += 1) {
        const neighbour = pick(candidates, random);
        const age = event.at - neighbour.at;
        const isOther =
          kind === 'backref' ? neighbour.type !== event.type : neighbour.company !== event.company;
        if (age > 36 * HOUR_MS && age < 15 * DAY_MS && isOther) return neighbour;
      }
      return null;
    },
  };
}

function writeReports(
  writer: ReportWriter,
  event: WorldEvent,
  titles: Map<string, string>,
): EntryWithoutKey[] {
  const reports: {
    readonly report: PlacedReport;
    readonly text: Text;
    readonly entry: EntryWithoutKey;
  }[] = [];
  for (const report of assignReports(event, writer.random)) {
    const original = reports.find((earlier) => {
      const { publisher } = earlier.report;
      return report.canCopy && publisher.id === report.publisher.copies && !earlier.report.isBrief;
    });
    const hasSameFacts = original !== undefined && report.facts === original.report.facts;
    const copied = hasSameFacts && report.revises === null ? original : undefined;
    const text =
      copied === undefined
        ? writeUniqueReport(writer, report, titles)
        : copyText(copied.text, report, writer);
    const entry = entryOf(report, text, writer.random);
    reports.push({
      report,
      text,
      entry: { ...entry, copyOf: copied === undefined ? null : copied.entry.title },
    });
  }
  return reports.map((entry) => entry.entry);
}

/** A headline belongs to one event, so it is drawn again until it is unique. */
function writeUniqueReport(
  writer: ReportWriter,
  report: PlacedReport,
  titles: Map<string, string>,
): Text {
  let text = writeReport(writer, report);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const owner = titles.get(text.title);
    if (owner === undefined || owner === report.event.id) break;
    const retry = writeReport(writer, report);
    text = { ...text, title: retry.title };
  }
  const owner = titles.get(text.title);
  if (owner !== undefined && owner !== report.event.id) {
    const timeSuffix = new Date(report.at).toISOString().slice(5, 16).replace('T', ' ');
    text = { ...text, title: `${text.title} (${timeSuffix})` };
  }
  titles.set(text.title, report.event.id);
  return text;
}

/** A copy of a wire report: the original text with a credit line, sometimes shortened. */
function copyText(original: Text, report: PlacedReport, writer: ReportWriter): Text {
  const isEn = report.publisher.lang === 'en';
  const source = publisherOf(requirePresent(report.publisher.copies, 'the copied publisher')).name;
  const body = original.paragraphs.slice(0, Math.max(1, original.paragraphs.length - 1));
  const isShortened = original.paragraphs.length > 2 && writer.random.next() < 0.5;
  const paragraphs = isShortened ? body : original.paragraphs;
  const first = requirePresent(paragraphs[0], 'a first paragraph');
  const credit = isEn ? `(${source}) - ${first}` : `据${source}消息，${first}`;
  return { ...original, paragraphs: [credit, ...paragraphs.slice(1)] };
}

function entryOf(report: PlacedReport, text: Text, random: Random): EntryWithoutKey {
  const { event, publisher } = report;
  return {
    publisherId: publisher.id,
    eventId: event.id,
    storylineId: event.storylineId,
    kind: 'report',
    category: event.category,
    at: report.at,
    lang: publisher.lang,
    title: text.title,
    paragraphs: text.paragraphs,
    figures: text.figures,
    correctsEarlier: report.revises !== null,
    author: publisher.bylines.length === 0 ? null : pick(publisher.bylines, random),
    copyOf: null,
    republicationOf: null,
    edits: [],
    withdrawnAt: null,
  };
}

/** Numbers each publisher's entries by time, and resolves copies to the keys of their originals. */
function assignKeys(entriesWithoutKey: readonly EntryWithoutKey[]): readonly WorldEntry[] {
  const counters = new Map<string, number>();
  const sorted = entriesWithoutKey.map((entry, order) => ({ entry, order }));
  sorted.sort((a, b) => a.entry.at - b.entry.at || a.order - b.order);
  const entries = sorted.map(({ entry }) => {
    const number = (counters.get(entry.publisherId) ?? 0) + 1;
    counters.set(entry.publisherId, number);
    return { ...entry, key: `${entry.publisherId}-${String(number).padStart(5, '0')}` };
  });
  const byEvent = Map.groupBy(entries, (entry) => entry.eventId);
  return entries.map((entry) => {
    if (entry.copyOf === null) return entry;
    const copies = publisherOf(entry.publisherId).copies;
    const original = byEvent.get(entry.eventId)?.find((entry) => entry.publisherId === copies);
    return { ...entry, copyOf: original?.key ?? null };
  });
}
