// Ranks qualifying stories by heat and limits the rows per storyline, in pure functions.
import { heatAt, isWithin, type RankedReport } from './heat.ts';
import type { RankingRules } from './ranking-rules.ts';
import { type TopicTrend, trendOf } from './trend.ts';

export type RankingInput = {
  /** Reports of the ranking's window and of the earlier window for the trend. */
  readonly reports: readonly RankedReport[];
  /** Ids of the reports that a first party of the story published. */
  readonly firstParties: ReadonlySet<string>;
  /** Ids of sources without a gap in their fetches. */
  readonly observedSourceIds: ReadonlySet<string>;
};

export type HotTopic = {
  readonly storyId: string;
  readonly itemIds: readonly string[];
  readonly heat: number;
  readonly trend: TopicTrend | null;
};

/** Qualifying stories at `now` (epoch milliseconds), hottest first. */
export function rankStories(rules: RankingRules, input: RankingInput, now: number): HotTopic[] {
  return [...Map.groupBy(input.reports, (report) => report.storyId)]
    .flatMap(
      ([storyId, reports]) => topicIfQualified(rules, input, { storyId, reports, now }) ?? [],
    )
    .sort((a, b) => b.heat - a.heat || (a.storyId < b.storyId ? -1 : 1));
}

/** Moves an operator's placed stories before the others, and removes sunk stories. */
export function placeStories(
  ranked: readonly HotTopic[],
  placements: ReadonlyMap<string, 'lead' | 'promoted' | 'sunk'>,
): readonly HotTopic[] {
  const storiesPlacedAs = (placement: 'lead' | 'promoted' | undefined) =>
    ranked.filter(({ storyId }) => placements.get(storyId) === placement);
  return [
    ...storiesPlacedAs('lead'),
    ...storiesPlacedAs('promoted'),
    ...storiesPlacedAs(undefined),
  ];
}

/** The rows of a ranking. `storylines` lists pairs of connected stories. */
export function chooseRows(
  rules: RankingRules,
  ranked: readonly HotTopic[],
  storylines: readonly (readonly [string, string])[],
): readonly HotTopic[] {
  const storylineOf = groupStorylines(storylines);
  const rowsByStoryline = new Map<string, number>();
  const topics: HotTopic[] = [];
  for (const topic of ranked) {
    const storyline = storylineOf(topic.storyId);
    const rows = rowsByStoryline.get(storyline) ?? 0;
    if (rows >= rules.rowsOfOneSaga) continue;
    rowsByStoryline.set(storyline, rows + 1);
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

/** Null unless two owners or a first party report the story. */
function topicIfQualified(
  rules: RankingRules,
  { firstParties, observedSourceIds }: RankingInput,
  { storyId, reports, now }: Candidate,
): HotTopic | null {
  const recentReports = reports.filter((report) => isWithin(rules, report, now));
  const editorialReports = recentReports.filter((report) => report.participation === 'editorial');
  const owners = new Set(editorialReports.map((report) => report.owner));
  const hasFirstParty = editorialReports.some((report) => firstParties.has(report.id));
  if (owners.size < 2 && !hasFirstParty) return null;
  const countedReports = recentReports.filter((report) => report.participation !== 'isolated');
  return {
    storyId,
    itemIds: countedReports.map((report) => report.id),
    heat: heatAt(rules, recentReports, now),
    trend: trendOf(rules, reports, observedSourceIds, now),
  };
}

/** Returns a function from a story to an id that all connected stories share. */
function groupStorylines(
  storylines: readonly (readonly [string, string])[],
): (storyId: string) => string {
  const parentOf = new Map<string, string>();
  const rootOf = (id: string): string => {
    const next = parentOf.get(id);
    return next === undefined ? id : rootOf(next);
  };
  for (const [first, second] of storylines) {
    const [firstRoot, secondRoot] = [rootOf(first), rootOf(second)];
    if (firstRoot !== secondRoot) parentOf.set(secondRoot, firstRoot);
  }
  return rootOf;
}
