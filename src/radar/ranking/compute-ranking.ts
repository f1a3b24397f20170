// A ranking is computed every five minutes of the World's clock, and stored and published in one
// transaction: readers see the last one that was completed, whatever happens in between.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import {
  newestRanking,
  observedSources,
  saveRanking,
} from '../../store/radar/publication/rankings.ts';
import {
  reportsSince,
  type StoryReportRow,
  storyNeighbours,
} from '../../store/radar/stories/story-reports.ts';
import { isWithin } from './heat.ts';
import { chooseRows, type HotMaterial, type HotTopic, rankStories } from './rank-stories.ts';
import type { HotRules } from './ranking-rules.ts';

export type HotParts = {
  readonly rules: HotRules;
  /** Ids of a story's reports that come from whom it is about. */
  readonly firstParties: (reports: readonly StoryReportRow[]) => ReadonlySet<string>;
  /** Publishes the newest stored ranking in the given transaction. */
  readonly publish: (world: World, tx: Db) => Promise<unknown>;
};

const EVERY_MS = 5 * 60_000;
const KEPT_MS = 30 * DAY_MS;

export async function isRankingDue(world: World, db: Db): Promise<boolean> {
  return isDue((await newestRanking(db))?.rankedAt ?? null, world.clock.now());
}

/** Once in each five minutes of the hour; also after a clock was moved back. Exported for tests. */
export function isDue(rankedAt: number | null, now: number): boolean {
  return rankedAt === null || Math.floor(rankedAt / EVERY_MS) !== Math.floor(now / EVERY_MS);
}

/** `standing`: another worker was faster. Answers the number of rows otherwise. */
export type ComputeRanking =
  | { readonly kind: 'ranked'; readonly rows: number }
  | { readonly kind: 'standing' };

export async function computeRanking(
  world: World,
  db: Db,
  { rules, firstParties, publish }: HotParts,
): Promise<ComputeRanking> {
  return inTransaction(db, async (tx) => {
    const now = world.clock.now();
    const material = await read(tx, { rules, firstParties }, now);
    const ranked = rankStories(rules, material, now);
    const topics = chooseRows(rules, ranked, await storylinesOf(tx, ranked));
    // Locked only now: a second of reading must not hold up whoever publishes. What was withdrawn
    // meanwhile is left out by the projection.
    await lockPublication(world, tx);
    if (!isDue((await newestRanking(tx))?.rankedAt ?? null, now)) return { kind: 'standing' };
    await saveRanking(tx, { id: world.ids.next(), rankedAt: now, topics }, now - KEPT_MS);
    await publish(world, tx);
    return { kind: 'ranked', rows: topics.length };
  });
}

async function read(
  tx: Db,
  { rules, firstParties }: Pick<HotParts, 'rules' | 'firstParties'>,
  now: number,
): Promise<HotMaterial> {
  const since = now - (rules.windowHours + rules.trend.hours) * HOUR_MS;
  const rows = await reportsSince(tx, since);
  const told = rows.filter((row) => row.participation !== 'isolated' && isWithin(rules, row, now));
  const stories = Map.groupBy(told, (row) => row.storyId);
  return {
    reports: rows,
    firstParties: new Set([...stories.values()].flatMap((of) => [...firstParties(of)])),
    observed: new Set(await observedSources(tx, now - rules.trend.hours * HOUR_MS, now)),
  };
}

/** So many could stand in a ranking whatever the sagas of those before them. */
const LOOKED_AT = 200;

async function storylinesOf(tx: Db, ranked: readonly HotTopic[]) {
  const ids = ranked.slice(0, LOOKED_AT).map((topic) => topic.storyId);
  const near = await storyNeighbours(tx, ids);
  return near
    .filter(({ relation }) => relation === 'storyline')
    .map(({ storyId, otherId }) => [storyId, otherId] as const);
}
