// Groups reports into events. Reports of one story, or of one duplicate group without a story, are
// one event. The best report represents the event. All functions are pure.
import { primaryLanguage } from '../../kernel/text/primary-language.ts';
import type { OtherReport } from '../../store/radar/publication/report-content.ts';
import type { MaterialItem } from '../../store/radar/publication/report-material.ts';
import type { ReportRoles } from '../../store/radar/stories/story-digests.ts';

export type Report = MaterialItem;

export type ReportEvent = {
  /** The story's id, otherwise the duplicate group's. */
  readonly key: string;
  readonly best: Report;
  /** All other reports of the event, earliest first. */
  readonly others: readonly Report[];
};

export type EventPlace = {
  readonly item_id: string;
  readonly group_id: string;
  readonly story_id: string | null;
};

/**
 * The event of each item. A duplicate group belongs to the story of its first member that has a
 * story.
 */
export function eventKeys(places: readonly EventPlace[]): ReadonlyMap<string, string> {
  const storyOfGroup = new Map<string, string>();
  for (const { group_id, story_id } of places) {
    if (story_id !== null && !storyOfGroup.has(group_id)) storyOfGroup.set(group_id, story_id);
  }
  return new Map(
    places.map(({ item_id, group_id, story_id }) => [
      item_id,
      story_id ?? storyOfGroup.get(group_id) ?? group_id,
    ]),
  );
}

export type ReportPreference = {
  readonly language: 'en' | 'zh-CN';
  /** Returns the ids of first-party reports; publication's `first-party.ts` implements it. */
  readonly firstParties: (
    reports: readonly {
      readonly id: string;
      readonly title: string;
      readonly summary: string | null;
      readonly owner: string;
      readonly sourceName: string;
      readonly tier: 'T1' | 'T1_5' | 'T2';
    }[],
  ) => ReadonlySet<string>;
};

/**
 * The reports of one event, the best first. Reports without an outdated figure come first, then
 * reports in the site's language, then the report of the story's title. Among the other reports, a
 * low party rank, a high score, a selection and an early time decide, in this order.
 */
export function sortBestFirst(
  reports: readonly Report[],
  preference: ReportPreference,
  { titleIds, outdatedIds }: ReportRoles,
): readonly Report[] {
  const partyRanks = new Map(reports.map((report) => [report.id, partyRankOf(report, preference)]));
  const partyRank = ({ id }: Report) => partyRanks.get(id) ?? 1;
  const rankOf = (isPreferred: boolean) => (isPreferred ? 0 : 1);
  return [...reports].sort(
    (a, b) =>
      rankOf(!outdatedIds.has(a.id)) - rankOf(!outdatedIds.has(b.id)) ||
      rankOf(isInLanguage(a.language, preference)) - rankOf(isInLanguage(b.language, preference)) ||
      rankOf(titleIds.has(a.id)) - rankOf(titleIds.has(b.id)) ||
      partyRank(a) - partyRank(b) ||
      (b.score ?? 0) - (a.score ?? 0) ||
      rankOf(a.selected) - rankOf(b.selected) ||
      a.timeline_at - b.timeline_at ||
      (a.id < b.id ? -1 : 1),
  );
}

/**
 * 0: a first party that the title names; 1: another source; 2: a first party that the title does
 * not name. Such a title is often a slogan: "Meet Esker 4".
 */
function partyRankOf(report: Report, preference: ReportPreference): number {
  if (report.tier !== 'T1') return 1;
  const titleAlone = { ...report, shown_summary: null };
  return firstPartyIdsOf([titleAlone], preference).has(report.id) ? 0 : 2;
}

export function firstPartyIdsOf(
  reports: readonly Report[],
  preference: ReportPreference,
): ReadonlySet<string> {
  return preference.firstParties(
    reports.map((report) => ({
      id: report.id,
      title: report.shown_title,
      summary: report.shown_summary,
      owner: report.owner,
      sourceName: report.source_name,
      tier: report.tier,
    })),
  );
}

/** Only the first part of a language tag counts: `zh` equals `zh-CN`. */
export function isInLanguage(
  language: string,
  preference: Pick<ReportPreference, 'language'>,
): boolean {
  return primaryLanguage(language) === primaryLanguage(preference.language);
}

/** Distinct owners; each owner counts once. */
export function ownersOf(reports: readonly Pick<Report, 'owner'>[]): ReadonlySet<string> {
  return new Set(reports.map((report) => report.owner));
}

/** Reports of other owners for an entry: editorial ones, earliest first. */
export function otherReportsOf(event: ReportEvent, max: number): readonly OtherReport[] {
  return event.others
    .filter((report) => report.participation === 'editorial' && report.owner !== event.best.owner)
    .slice(0, max)
    .map((report) => ({
      itemId: report.id,
      owner: report.owner,
      sourceName: report.source_name,
      at: report.timeline_at,
    }));
}
