// Composes one day's news by rule: one entry per event with its best report. Sections have the
// fixed order of the categories. Short news are briefs, named flashes in the stored report. All
// functions are pure.
import type { ContentEntry, ReportContent } from '../../store/radar/publication/report-content.ts';
import type { ReportRoles } from '../../store/radar/stories/story-digests.ts';
import { titleFaults } from '../language/text-faults.ts';
import { textWidth } from '../language/text-width.ts';
import { trimDay } from '../language/write-lead.ts';
import type { CompositionContext } from './composition-context.ts';
import {
  firstPartyIdsOf,
  isInLanguage,
  otherReportsOf,
  ownersOf,
  type Report,
  type ReportEvent,
  sortBestFirst,
} from './events.ts';
import { fillSections } from './fill-sections.ts';
import { type EarlierCoverage, isDevelopment } from './published-facts.ts';
import type { ReportPeriod } from './report-periods.ts';

export type DailyMaterial = {
  /** Public items of the window. */
  readonly reports: readonly Report[];
  /** Earlier coverage in dailies, by event. */
  readonly coverage: ReadonlyMap<string, EarlierCoverage>;
  /** The current event of each item. */
  readonly events: ReadonlyMap<string, string>;
  /** The facts in the claims of each item. */
  readonly facts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly roles: ReportRoles;
};

/** Null: there is no news, so no report is written. */
export function composeDaily(
  context: CompositionContext,
  period: ReportPeriod,
  material: DailyMaterial,
): ReportContent | null {
  const { rules, categories, language } = context;
  const events = groupEvents(context, material);
  const selectedIds = new Set(
    events.flatMap((event) => {
      const { key, best } = event;
      return isSelected(event) || material.coverage.has(key) ? [best.id] : [];
    }),
  );
  const selectionRank = ({ itemId }: ContentEntry) => (selectedIds.has(itemId) ? 0 : 1);
  const entries = events
    .map((event) => composeEntry(context, event, material.coverage.get(event.key) ?? null))
    .sort((a, b) => selectionRank(a) - selectionRank(b) || compareWeights(a, b));
  if (entries.length === 0) return null;
  const { sections, remaining } = fillSections(entries, categories, {
    ...rules.daily,
    language,
    isFlash: (entry) =>
      !selectedIds.has(entry.itemId) || textWidth(entry.summary ?? '') < rules.daily.flashBelow,
  });
  const clearIds = new Set(events.flatMap(({ best }) => (hasClearTitle(best) ? [best.id] : [])));
  const flashes = remaining
    .filter(({ itemId }) => clearIds.has(itemId))
    .slice(0, rules.daily.flashes);
  const sectionIds = new Set(
    sections.flatMap((section) => section.entries.map(({ itemId }) => itemId)),
  );
  const sectionEntries = entries.filter(({ itemId }) => sectionIds.has(itemId));
  return {
    rules: rules.version,
    language,
    firstDay: period.firstDay,
    lastDay: period.lastDay,
    leads: [...sectionEntries, ...flashes].map(({ itemId }) => itemId),
    overview: [],
    sections: sections.map((section) => ({ ...section, summary: [] })),
    flashes,
    knownActions: [],
  };
}

/**
 * A brief shows only its title, so the title must have none of the faults in `docs/editorial.md`,
 * except a wrong length.
 */
const hasClearTitle = ({ title, language }: Report) =>
  titleFaults(trimDay(title), language).every(
    (fault) => fault === 'too_short' || fault === 'too_long',
  );

/**
 * The events of the window: those with a selected report, those that developed since their earlier
 * coverage, and, for briefs, others with a high score. Isolated sources never appear here. Signal
 * sources count, but are never quoted.
 */
function groupEvents(context: CompositionContext, material: DailyMaterial): readonly ReportEvent[] {
  const { rules } = context;
  const eligibleReports = material.reports.filter((report) => report.participation !== 'isolated');
  const byEvent = Map.groupBy(
    eligibleReports,
    ({ id, group_id }) => material.events.get(id) ?? group_id,
  );
  return [...byEvent].flatMap(([key, reports]) => {
    const editorialReports = reports.filter((report) => report.participation === 'editorial');
    const [best] = sortBestFirst(editorialReports, context, material.roles);
    if (!best) return [];
    const earlier = material.coverage.get(key);
    const isNews = earlier
      ? isDevelopment(editorialReports, earlier, material.facts, rules.daily.development)
      : editorialReports.some(({ selected }) => selected) ||
        (best.score ?? 0) >= rules.daily.flashScore;
    if (!isNews) return [];
    const otherReports = reports.filter((report) => report !== best);
    return [{ key, best, others: otherReports.sort((a, b) => a.timeline_at - b.timeline_at) }];
  });
}

const isSelected = ({ best, others }: ReportEvent) =>
  [best, ...others].some((report) => report.participation === 'editorial' && report.selected);

function composeEntry(
  context: CompositionContext,
  event: ReportEvent,
  earlier: EarlierCoverage | null,
): ContentEntry {
  const { best } = event;
  return {
    ...entryFieldsOf(best, event),
    weight: weightOf(context, event),
    others: otherReportsOf(event, context.rules.othersMax),
    since: earlier?.since ?? null,
  };
}

/** The current public text of a report, without operators' corrections of the entry. */
export function entryFieldsOf(best: Report, { others }: Pick<ReportEvent, 'others'>) {
  const categories = [best, ...others].map((report) => report.category);
  return {
    itemId: best.id,
    title: trimDay(best.title),
    summary: best.summary,
    owner: best.owner,
    sourceName: best.source_name,
    originalUrl: best.original_url,
    publishedAt: best.published_at,
    at: best.timeline_at,
    discoveredAt: best.discovered_at,
    category: categories.find((category) => category !== null) ?? null,
  };
}

function weightOf(context: CompositionContext, { best, others }: ReportEvent): number {
  const { weights } = context.rules.daily;
  const reports = [best, ...others];
  const editorial = reports.filter((report) => report.participation === 'editorial');
  const signals = reports.length - editorial.length;
  return (
    weights.score * Math.max(...reports.map((report) => report.score ?? 0)) +
    weights.owners * Math.log2(ownersOf(editorial).size || 1) +
    (firstPartyIdsOf(reports, context).size > 0 ? weights.firstParty : 0) +
    weights.signals * Math.log2(1 + signals) +
    (isInLanguage(best.language, context) ? weights.language : 0)
  );
}

/** In order of descending weight; events of equal weight in order of time. */
export function compareWeights(a: ContentEntry, b: ContentEntry): number {
  return b.weight - a.weight || a.at - b.at || (a.itemId < b.itemId ? -1 : 1);
}
