// Heat of stories at the last ranking, shown only to operators.
import type { Db } from '../../kernel/ports/db.ts';
import { findNewestRanking } from '../../store/radar/publication/rankings.ts';

/** Heat by story. */
export async function readHeatOfStories(db: Db): Promise<ReadonlyMap<string, number>> {
  const ranking = await findNewestRanking(db);
  return new Map((ranking?.topics ?? []).map(({ storyId, heat }) => [storyId, heat]));
}
