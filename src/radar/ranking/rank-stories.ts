// Pure: ranks qualifying stories by heat and limits the rows per storyline.
import { heatAt, isWithin, type RankedReport } from './heat.ts';
import type { RankingRules } from './ranking-rules.ts';
import { type TopicTrend, trendOf } from './trend.ts';

export type RankingInput = {
  /** Reports of the ranking's window and of the earlier window for the trend. */
  readonly reports: readonly RankedReport[];
  /** Reports by a first party of their story. */
  readonly firstParties: ReadonlySet<string>;
  /** Ids of sources without a gap in their fetches. */
  readonly observed: ReadonlySet<string>;
};

export type HotTopic = {
  readonly storyId: string;
  readonly itemIds: readonly string[];
  readonly heat: number;
  readonly trend: TopicTrend | null;
};

/** Qualifying stories at `now` (epoch milliseconds), hottest first. */
export function rankStories(rules: RankingRules, material: RankingInput, now: number): HotTopic[] {
  return [...Map.groupBy(material.reports, (report) => report.storyId)]
    .flatMap(([storyId, reports]) => topicOf(rules, material, { storyId, reports, now }) ?? [])
    .sort((a, b) => b.heat - a.heat || (a.storyId < b.storyId ? -1 : 1));
}

/** An operator's placements before the order by heat: a sunk story has no row. */
export function placeStories(
  ranked: readonly HotTopic[],
  placements: ReadonlyMap<string, 'lead' | 'promoted' | 'sunk'>,
): readonly HotTopic[] {
  const withPlacement = (placement: 'lead' | 'promoted' | undefined) =>
    ranked.filter(({ storyId }) => placements.get(storyId) === placement);
  return [...withPlacement('lead'), ...withPlacement('promoted'), ...withPlacement(undefined)];
}

/** The rows of a ranking. `storylines` lists pairs of connected stories. */
export function chooseRows(
  rules: RankingRules,
  ranked: readonly HotTopic[],
  storylines: readonly (readonly [string, string])[],
): readonly HotTopic[] {
  const sagaOf = storylineGroups(storylines);
  const rowsOf = new Map<string, number>();
  const topics: HotTopic[] = [];
  for (const topic of ranked) {
    const saga = sagaOf(topic.storyId);
    const rows = rowsOf.get(saga) ?? 0;
    if (rows >= rules.rowsOfOneSaga) continue;
    rowsOf.set(saga, rows + 1);
    topics.push(topic);
    if (topics.length === rules.rows) break;
  }
  return topics;
}

type Candidate = {
  readonly storyId: string;
  readonly reports: readonly RankedReport[];
  readonly now: number;
};

/** Two owners must report it, or a first party (design, "Heat and the ranking"). */
function topicOf(
  rules: RankingRules,
  { firstParties, observed }: RankingInput,
  { storyId, reports, now }: Candidate,
): HotTopic | null {
  const recentReports = reports.filter((report) => isWithin(rules, report, now));
  const editorial = recentReports.filter((report) => report.participation === 'editorial');
  const owners = new Set(editorial.map((report) => report.owner));
  const isFirstHand = editorial.some((report) => firstParties.has(report.id));
  if (owners.size < 2 && !isFirstHand) return null;
  const eligible = recentReports.filter((report) => report.participation !== 'isolated');
  return {
    storyId,
    itemIds: eligible.map((report) => report.id),
    heat: heatAt(rules, recentReports, now),
    trend: trendOf(rules, reports, observed, now),
  };
}

/** The storyline of a story: one name for all connected stories. */
function storylineGroups(
  storylines: readonly (readonly [string, string])[],
): (storyId: string) => string {
  const storyAbove = new Map<string, string>();
  const top = (id: string): string => {
    const next = storyAbove.get(id);
    return next === undefined ? id : top(next);
  };
  for (const [first, second] of storylines) {
    const [a, b] = [top(first), top(second)];
    if (a !== b) storyAbove.set(b, a);
  }
  return top;
}
