// The ranking as a pure function: stories that qualify, the hottest first, and no saga in more than
// its share of the rows.
import { type HotReport, heatAt, isWithin } from './heat.ts';
import type { HotRules } from './ranking-rules.ts';
import { type Trend, trendOf } from './trend.ts';

export type HotMaterial = {
  /** Of the window and of as many hours before it as trends look back. */
  readonly reports: readonly HotReport[];
  /** Reports by a first party of their story. */
  readonly firstParties: ReadonlySet<string>;
  /** Ids of sources that were read without a gap. */
  readonly observed: ReadonlySet<string>;
};

export type HotTopic = {
  readonly storyId: string;
  readonly itemIds: readonly string[];
  readonly heat: number;
  readonly trend: Trend | null;
};

/** Stories that qualify at `now` (epoch milliseconds), the hottest first. */
export function rankStories(rules: HotRules, material: HotMaterial, now: number): HotTopic[] {
  return [...Map.groupBy(material.reports, (report) => report.storyId)]
    .flatMap(([storyId, reports]) => topicOf(rules, material, { storyId, reports, now }) ?? [])
    .sort((a, b) => b.heat - a.heat || (a.storyId < b.storyId ? -1 : 1));
}

/** The rows of a ranking. `storylines`: which of these stories are along one line. */
export function chooseRows(
  rules: HotRules,
  ranked: readonly HotTopic[],
  storylines: readonly (readonly [string, string])[],
): readonly HotTopic[] {
  const sagaOf = sagas(storylines);
  const rowsOf = new Map<string, number>();
  const chosen: HotTopic[] = [];
  for (const topic of ranked) {
    const saga = sagaOf(topic.storyId);
    const rows = rowsOf.get(saga) ?? 0;
    if (rows >= rules.rowsOfOneSaga) continue;
    rowsOf.set(saga, rows + 1);
    chosen.push(topic);
    if (chosen.length === rules.rows) break;
  }
  return chosen;
}

type Candidate = {
  readonly storyId: string;
  readonly reports: readonly HotReport[];
  readonly now: number;
};

/** Two owners have to say it, or whoever it is about (design, "Heat and the ranking"). */
function topicOf(
  rules: HotRules,
  { firstParties, observed }: HotMaterial,
  { storyId, reports, now }: Candidate,
): HotTopic | null {
  const within = reports.filter((report) => isWithin(rules, report, now));
  const editorial = within.filter((report) => report.participation === 'editorial');
  const owners = new Set(editorial.map((report) => report.owner));
  const isFirstHand = editorial.some((report) => firstParties.has(report.id));
  if (owners.size < 2 && !isFirstHand) return null;
  const told = within.filter((report) => report.participation !== 'isolated');
  return {
    storyId,
    itemIds: told.map((report) => report.id),
    heat: heatAt(rules, within, now),
    trend: trendOf(rules, reports, observed, now),
  };
}

/** The saga of a story: one name for all that storylines connect. */
function sagas(storylines: readonly (readonly [string, string])[]): (storyId: string) => string {
  const above = new Map<string, string>();
  const top = (id: string): string => {
    const next = above.get(id);
    return next === undefined ? id : top(next);
  };
  for (const [one, other] of storylines) {
    const [a, b] = [top(one), top(other)];
    if (a !== b) above.set(b, a);
  }
  return top;
}
