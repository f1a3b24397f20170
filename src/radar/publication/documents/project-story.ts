// Projects stories from private tables: public reports, digest and related stories. A story without
// a public report is not public. A merged story refers to the story into which it was merged.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { listStoryDigests } from '../../../store/radar/stories/story-digests.ts';
import { readEditsOfStories } from '../../../store/radar/stories/story-edits.ts';
import {
  type LastAssignment,
  listLastAssignments,
  listPublicStories,
  listStoryLifecycles,
  listStoryNeighbours,
  listStoryReports,
} from '../../../store/radar/stories/story-reports.ts';
import type { Digest } from '../digest/digest.ts';
import type { MergedBody, StoryReference } from './bodies.ts';
import { digestStories, type PreparedDigests, prepareDigests } from './digest-stories.ts';
import { findFirstParties } from './first-party.ts';
import type { DocumentProjection } from './projector.ts';
import { buildStoryBody } from './story-body.ts';

export async function projectStories(
  world: World,
  tx: Db,
  keys: readonly string[],
  prepared: PreparedDigests = new Map(),
): Promise<ReadonlyMap<string, DocumentProjection>> {
  const { lifecycles, reportsByStory } = await readStories(tx, keys);
  // Digests are written first, because the titles of related stories come from them.
  const digests = await digestStories(world, tx, reportsByStory, prepared);
  const links = await readStoryLinks(tx, [...reportsByStory.keys()]);
  const reasons = await readLastAssignments(
    tx,
    [...reportsByStory.values()].flat().map((report) => report.id),
  );
  const edits = await readEditsOfStories(tx, keys);
  const projected = new Map<string, DocumentProjection>();
  for (const { id, foundedAt, survivorId } of lifecycles) {
    const rows = reportsByStory.get(id);
    const digest = digests.get(id);
    if (survivorId !== null) {
      const body: MergedBody = { kind: 'merged', into: survivorId };
      projected.set(id, { body, cites: [], sortAt: foundedAt });
    } else if (rows !== undefined && digest !== undefined) {
      const storyLinks = links.get(id) ?? [];
      const title = edits.get(id)?.title ?? null;
      const body = buildStoryBody({
        id,
        title,
        reports: rows,
        digest,
        links: storyLinks,
        reasons,
      });
      const cites = rows.map((row) => row.id).sort();
      projected.set(id, { body, cites, sortAt: body.latestAt });
    }
  }
  return projected;
}

/** Writes the digests of these stories. Callers do this before they lock the publication. */
export async function prepareStoryDigests(
  world: World,
  tx: Db,
  keys: readonly string[],
): Promise<PreparedDigests> {
  return prepareDigests(world, tx, (await readStories(tx, keys)).reportsByStory);
}

/** `reportsByStory`: the public reports of each story that is not merged, the newest first. */
async function readStories(tx: Db, keys: readonly string[]) {
  const lifecycles = await listStoryLifecycles(tx, keys);
  const activeStoryIds = lifecycles.flatMap(({ id, survivorId }) =>
    survivorId === null ? [id] : [],
  );
  const rowsByStory = Map.groupBy(
    await listStoryReports(tx, activeStoryIds),
    (report) => report.storyId,
  );
  const reportsByStory = new Map(
    [...rowsByStory].map(([id, rows]) => {
      const firstPartyIds = findFirstParties(rows);
      return [id, rows.map((row) => ({ ...row, firstParty: firstPartyIds.has(row.id) }))];
    }),
  );
  return { lifecycles, reportsByStory };
}

async function readStoryLinks(
  tx: Db,
  storyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoryReference[]>> {
  const neighbours = await listStoryNeighbours(tx, storyIds);
  const otherIds = [...new Set(neighbours.map((neighbour) => neighbour.otherId))];
  const publicIds = await listPublicStories(tx, otherIds);
  const edits = await readEditsOfStories(tx, otherIds);
  const titles = new Map(
    (await listStoryDigests(tx, otherIds)).map((row) => [
      row.story_id,
      edits.get(row.story_id)?.title ?? (row.digest as Digest).title,
    ]),
  );
  const relations = neighbours.flatMap(({ storyId, otherId, relation }) => {
    const title = publicIds.has(otherId) ? titles.get(otherId) : undefined;
    return title === undefined ? [] : [{ storyId, link: { id: otherId, title, relation } }];
  });
  return new Map(
    [...Map.groupBy(relations, (entry) => entry.storyId)].map(([id, storyRelations]) => [
      id,
      storyRelations.map(({ link }) => link),
    ]),
  );
}

async function readLastAssignments(
  tx: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, LastAssignment>> {
  return new Map((await listLastAssignments(tx, itemIds)).map((last) => [last.itemId, last]));
}
