// Heat of stories at the last ranking, shown only to operators.
import type { Db } from '../../kernel/ports/db.ts';
import { newestRanking } from '../../store/radar/publication/rankings.ts';

/** Heat by story. */
export async function heatOfStories(db: Db): Promise<ReadonlyMap<string, number>> {
  const ranking = await newestRanking(db);
  return new Map((ranking?.topics ?? []).map(({ storyId, heat }) => [storyId, heat]));
}
