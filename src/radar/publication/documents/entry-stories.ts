// Finds the current stories of a report's entries. Pages and clients show how many sources cover
// an entry's event and whether these sources disagree.
import type { World } from '../../../kernel/world.ts';
import { findPublicItems } from '../find-item.ts';
import type { Publication } from '../open-publication.ts';
import { findStories } from './find-document.ts';
import type { DailyBody, MonthlyBody, WeeklyBody } from './report-body.ts';
import { documentSummary, type StorySummary } from './story-summary.ts';

/** Keys are item ids. Entries without a public story are absent. */
export async function readStoriesOfEntries(
  world: World,
  publication: Publication,
  body: DailyBody | WeeklyBody | MonthlyBody,
): Promise<ReadonlyMap<string, StorySummary>> {
  const flashes = body.kind === 'daily' ? body.flashes : [];
  const entries = [...body.sections.flatMap(({ items }) => items), ...flashes];
  const items = await findPublicItems(
    world,
    publication,
    entries.map(({ itemId }) => itemId),
  );
  const storyIds = [...new Set(items.flatMap(({ storyId }) => storyId ?? []))];
  const summaries = new Map(
    (await findStories(world, publication, storyIds)).map((document) => [
      document.key,
      documentSummary(document),
    ]),
  );
  return new Map(
    items.flatMap(({ id, storyId }) => {
      const summary = storyId === null ? undefined : summaries.get(storyId);
      return summary ? [[id, summary] as const] : [];
    }),
  );
}
