// The story service with its dependencies on the publication: timeline positions and published
// documents.
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { ownTimelineAt } from '../radar/publication/project-group.ts';
import { publishStories } from '../radar/publication/publish-stories.ts';
import {
  openStoryService,
  type StoryService,
  type StoryServiceDeps,
} from '../radar/stories/sync/story-service.ts';

/** `editorial`: the editorial folder's path. */
export function openStories(
  world: World,
  db: Db,
  editorial: string,
  openAdviser: StoryServiceDeps['openAdviser'] = null,
): StoryService {
  const parts = { editorial, timelineAt: ownTimelineAt, publish: publishStories, openAdviser };
  return openStoryService(world, db, parts);
}
