// Reads the heat of stories at the last ranking. Only operators see it.
import type { Db } from '../../kernel/ports/db.ts';
import { findNewestRanking } from '../../store/radar/publication/rankings.ts';

/** The heat by the story's id. */
export async function readHeatOfStories(db: Db): Promise<ReadonlyMap<string, number>> {
  const ranking = await findNewestRanking(db);
  return new Map((ranking?.topics ?? []).map(({ storyId, heat }) => [storyId, heat]));
}
