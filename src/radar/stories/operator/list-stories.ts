// Search for stories by operators.
import type { Db } from '../../../kernel/ports/db.ts';
import {
  findStories,
  type ListedStory,
  type StorySearch,
} from '../../../store/radar/stories/story-list.ts';

export type { ListedStory };

/**
 * `q`: words that must all occur in the titles of a story's reports, or the id of a story. Newest
 * report first.
 */
export async function listStories(
  db: Db,
  { q, ...search }: Omit<StorySearch, 'terms'> & { readonly q: string | null },
): Promise<readonly ListedStory[]> {
  const terms = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  return findStories(db, { ...search, terms });
}
