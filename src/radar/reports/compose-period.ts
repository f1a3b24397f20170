// Composes a week's or a month's news from its dailies: the events with the longest and widest
// coverage. Overview and introductions consist of the entries' own words.

import type {
  ContentEntry,
  ContentSentence,
  ReportContent,
} from '../../store/radar/publication/report-content.ts';
import type { ReportRoles } from '../../store/radar/stories/story-digests.ts';
import { compareWeights, entryFieldsOf } from './compose-daily.ts';
import type { CompositionContext } from './composition-context.ts';
import { isInLanguage, otherReportsOf, ownersOf, type Report, sortBestFirst } from './events.ts';
import { type FilledSection, fillSections } from './fill-sections.ts';
import type { PublishedEntry } from './published-facts.ts';
import type { ReportPeriod } from './report-periods.ts';
import type { PeriodRules } from './report-rules.ts';

export type PeriodMaterial = {
  /** All entries and briefs of the period's dailies. */
  readonly publishedEntries: readonly PublishedEntry[];
  /** The current event of each item. */
  readonly events: ReadonlyMap<string, string>;
  /** The public items, by id. */
  readonly reports: ReadonlyMap<string, Report>;
  readonly roles: ReportRoles;
};

/** Null: no event has a public report any more, or there were no dailies. */
export function composePeriod(
  context: CompositionContext,
  period: ReportPeriod,
  material: PeriodMaterial,
): ReportContent | null {
  const kind = period.kind === 'monthly' ? 'monthly' : 'weekly';
  const rules = context.rules[kind];
  const remainingEntries = material.publishedEntries.filter(
    ({ entry }) => entry.edit?.isRemoved !== true,
  );
  const byEvent = Map.groupBy(
    remainingEntries,
    ({ entry }) => material.events.get(entry.itemId) ?? entry.itemId,
  );
  const entries = [...byEvent.values()]
    .flatMap(
      (publishedEntries) =>
        composeEntry(context, rules, period, { ...material, publishedEntries }) ?? [],
    )
    .sort(compareWeights);
  if (entries.length === 0) return null;
  const { sections } = fillSections(entries, context.categories, {
    ...rules,
    language: context.language,
    isFlash: () => false,
  });
  const rankedEntries = sections.flatMap((section) => section.entries).sort(compareWeights);
  if (rankedEntries.length === 0) return null;
  const isInSiteLanguage = (entry: ContentEntry) => {
    const report = material.reports.get(entry.itemId);
    return report !== undefined && isInLanguage(report.language, context);
  };
  return {
    rules: context.rules.version,
    language: context.language,
    firstDay: period.firstDay,
    lastDay: period.lastDay,
    leads: rankedEntries.map(({ itemId }) => itemId),
    overview: composeOverview(sections, rankedEntries, isInSiteLanguage),
    sections: sections.map((section) => ({
      ...section,
      summary:
        section.entries.length > 1 ? summarySentences(section.entries, isInSiteLanguage) : [],
    })),
    flashes: [],
    knownActions: [],
  };
}

/** `publishedEntries`: the entries of one event. */
type EventMaterial = Pick<PeriodMaterial, 'publishedEntries' | 'reports' | 'roles'>;

/** Null when no report of the event is public any more. */
function composeEntry(
  context: CompositionContext,
  rules: PeriodRules,
  period: ReportPeriod,
  { publishedEntries, reports, roles }: EventMaterial,
): ContentEntry | null {
  const ids = new Set(
    publishedEntries.flatMap(({ entry }) => [
      entry.itemId,
      ...entry.others.map((other) => other.itemId),
    ]),
  );
  const publicReports = [...ids].flatMap((id) => reports.get(id) ?? []);
  // A report with a text by an operator represents the event, so that this text remains.
  const editedReports = publicReports.filter(({ id }) =>
    publishedEntries.some(({ entry }) => entry.itemId === id && entry.edit !== undefined),
  );
  const candidates = editedReports.length > 0 ? editedReports : publicReports;
  const [best] = sortBestFirst(candidates, context, roles);
  if (!best) return null;
  const otherReports = publicReports
    .filter((report) => report !== best)
    .sort((a, b) => a.timeline_at - b.timeline_at || (a.id < b.id ? -1 : 1));
  const { weights } = rules;
  const allReports = [best, ...otherReports];
  const heat = integrateHeat(allReports, period.windowEnd, rules);
  const days = new Set(publishedEntries.map(({ date }) => date)).size;
  const weight =
    weights.score * Math.max(...allReports.map((report) => report.score ?? 0)) +
    weights.owners * Math.log2(ownersOf(allReports).size) +
    weights.heat * Math.log2(1 + heat) +
    weights.days * (days - 1) +
    (isInLanguage(best.language, context) ? weights.language : 0);
  const [first] = [...publishedEntries].sort((a, b) => (a.date < b.date ? -1 : 1));
  const since = first?.entry.since ?? null;
  const edit = publishedEntries.findLast(({ entry }) => entry.itemId === best.id)?.entry.edit;
  return {
    ...entryFieldsOf(best, { others: otherReports }),
    weight,
    others: otherReportsOf({ key: '', best, others: otherReports }, context.rules.othersMax),
    since: since !== null && since.date < period.firstDay ? since : null,
    ...(edit !== undefined && { edit }),
  };
}

/**
 * The heat of an event, integrated until `end`, in half-lives of one report. Each report adds heat
 * that halves every half-life. A further report of one owner counts less.
 */
export function integrateHeat(
  reports: readonly Pick<Report, 'owner' | 'timeline_at'>[],
  end: number,
  { heatHalfLifeHours, sameOwnerShare }: PeriodRules,
): number {
  const countedOwners = new Set<string>();
  let heat = 0;
  for (const { owner, timeline_at } of [...reports].sort((a, b) => a.timeline_at - b.timeline_at)) {
    const halfLives = Math.max(0, end - timeline_at) / (heatHalfLifeHours * 3_600_000);
    heat += (countedOwners.has(owner) ? sameOwnerShare : 1) * (1 - 2 ** -halfLives);
    countedOwners.add(owner);
  }
  return heat;
}

/**
 * More sentences are stored than shown, so that a spare sentence can replace a withdrawn sentence.
 */
const SPARE_SENTENCES = 8;

/** Entries in the readers' language first; among them, the first entry of every section first. */
function composeOverview(
  sections: readonly FilledSection[],
  entries: readonly ContentEntry[],
  isInSiteLanguage: (entry: ContentEntry) => boolean,
): readonly ContentSentence[] {
  const firstEntries = new Set(sections.flatMap((section) => section.entries.slice(0, 1)));
  const orderedEntries = [
    ...entries.filter((entry) => firstEntries.has(entry)),
    ...entries.filter((entry) => !firstEntries.has(entry)),
  ];
  return summarySentences(orderedEntries, isInSiteLanguage);
}

function summarySentences(
  entries: readonly ContentEntry[],
  isInSiteLanguage: (entry: ContentEntry) => boolean,
): readonly ContentSentence[] {
  const orderedEntries = [
    ...entries.filter(isInSiteLanguage),
    ...entries.filter((entry) => !isInSiteLanguage(entry)),
  ];
  return orderedEntries.slice(0, SPARE_SENTENCES).map(({ itemId }) => ({
    itemIds: [itemId],
    parts: [{ itemId, say: 'gist' as const }],
  }));
}
