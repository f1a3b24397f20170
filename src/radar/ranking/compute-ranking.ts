// Computes a ranking every five minutes of the World's clock. The ranking is stored and published
// in one transaction, so readers always see a complete ranking.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import {
  findFirstFetchesEndedAt,
  findNewestRanking,
  listObservedSources,
  saveRanking,
} from '../../store/radar/publication/rankings.ts';
import { readPlacedStories } from '../../store/radar/stories/story-edits.ts';
import { listReportsSince, listStoryNeighbours } from '../../store/radar/stories/story-reports.ts';
import { RANKING_KEY } from '../publication/documents/bodies.ts';
import { findFirstParties } from '../publication/documents/first-party.ts';
import { publishDocuments } from '../publication/documents/publish-documents.ts';
import { isWithin } from './heat.ts';
import {
  chooseRows,
  type HotTopic,
  placeStories,
  type RankingInput,
  rankStories,
} from './rank-stories.ts';
import type { RankingRules } from './ranking-rules.ts';

const INTERVAL_MS = 5 * 60_000;
const RETENTION_MS = 30 * DAY_MS;

export async function isRankingDue(world: World, db: Db): Promise<boolean> {
  return isNeeded(db, world.clock.now());
}

/**
 * True when a ranking is due by the clock, or when the first fetches of all sources ended after the
 * newest ranking. A new radar therefore does not wait for five minutes.
 */
async function isNeeded(db: Db, now: number): Promise<boolean> {
  const rankedAt = (await findNewestRanking(db))?.rankedAt ?? null;
  if (rankedAt === null || isDue(rankedAt, now)) return true;
  const endedAt = await findFirstFetchesEndedAt(db);
  return endedAt !== null && rankedAt < endedAt;
}

/** True once in each five minutes of the hour, also after a change of the clock. For tests. */
export function isDue(rankedAt: number | null, now: number): boolean {
  return rankedAt === null || Math.floor(rankedAt / INTERVAL_MS) !== Math.floor(now / INTERVAL_MS);
}

/** `current`: another worker has already stored this ranking. `rows`: the number of topics. */
export type RankingResult =
  | { readonly kind: 'ranked'; readonly rows: number }
  | { readonly kind: 'current' };

export async function computeRanking(
  world: World,
  db: Db,
  rules: RankingRules,
): Promise<RankingResult> {
  return inTransaction(db, async (tx) => {
    const now = world.clock.now();
    const input = await readInput(tx, rules, now);
    const rankedStories = rankStories(rules, input, now);
    const rankingOrder = placeStories(rankedStories, await readPlacedStories(tx));
    const topics = chooseRows(rules, rankingOrder, await readStorylines(tx, rankingOrder));
    // Reading takes up to a second, so the lock is taken only here. The projection omits items that
    // were withdrawn meanwhile.
    await lockPublication(world, tx);
    if (!(await isNeeded(tx, now))) return { kind: 'current' };
    await saveRanking(tx, { id: world.ids.next(), rankedAt: now, topics }, now - RETENTION_MS);
    await publishDocuments(world, tx, [{ kind: 'ranking', key: RANKING_KEY }]);
    return { kind: 'ranked', rows: topics.length };
  });
}

async function readInput(tx: Db, rules: RankingRules, now: number): Promise<RankingInput> {
  const since = now - (rules.windowHours + rules.trend.hours) * HOUR_MS;
  const rows = await listReportsSince(tx, since);
  const rowsInWindow = rows.filter(
    (row) => row.participation !== 'isolated' && isWithin(rules, row, now),
  );
  const stories = Map.groupBy(rowsInWindow, (row) => row.storyId);
  return {
    reports: rows,
    firstParties: new Set(
      [...stories.values()].flatMap((reports) => [...findFirstParties(reports)]),
    ),
    observedSourceIds: new Set(
      await listObservedSources(tx, now - rules.trend.hours * HOUR_MS, now),
    ),
  };
}

/** This number of stories fills a ranking even after the storyline limit. */
const STORIES_READ_MAX = 200;

async function readStorylines(tx: Db, ranked: readonly HotTopic[]) {
  const ids = ranked.slice(0, STORIES_READ_MAX).map((topic) => topic.storyId);
  const neighbours = await listStoryNeighbours(tx, ids);
  return neighbours
    .filter(({ relation }) => relation === 'storyline')
    .map(({ storyId, otherId }) => [storyId, otherId] as const);
}
