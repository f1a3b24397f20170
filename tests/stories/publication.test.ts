// Effects of stories on the public, and of items on their stories. A withdrawn item stays a member
// and can return, a changed item keeps its story, and a failed item delays no other item.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { PageContext } from '../../src/radar/pages/page-context.ts';
import { renderAssignmentReasons } from '../../src/radar/pages/story/assignment-reasons.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { StoryBody } from '../../src/radar/publication/documents/bodies.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { listPublicDocuments } from '../../src/store/radar/publication/public-documents.ts';
import { listPublicItemRows } from '../../src/store/radar/publication/public-items.ts';
import { readStoriesById, readSurvivors } from '../../src/store/radar/stories/stories.ts';
import { queueStoryAssignments } from '../../src/store/radar/stories/story-queue.ts';
import { expectStoriesConsistent, hoursAgo, launchOf, openTestStories } from './test-stories.ts';

const testStories = await openTestStories();
const { world, db, push, assign, stories, storyOf } = testStories;
const storyIn = async (itemId: string) => (await listPublicItemRows(db, [itemId]))[0]?.story_id;

it('an item names its story, and a story has the time of its first report', async () => {
  await push(
    { id: 'p1', ...launchOf('Orrin 7', 0), at: hoursAgo(world, 6) },
    { id: 'p2', ...launchOf('Orrin 7', 1), at: hoursAgo(world, 4), source: 'b' },
  );
  await assign();
  const id = await storyOf('p1');
  expect([await storyIn('p1'), await storyIn('p2')]).toEqual([id, id]);
  expect((await readStoriesById(db, [id])).get(id)).toEqual({
    id,
    founded_at: hoursAgo(world, 6),
    merged_into: null,
    is_closed: false,
    version: 1,
  });
  expect(await readSurvivors(db, [id, 'never'])).toEqual(new Map([[id, id]]));
});

it('a published story groups its reports by development', async () => {
  const [document] = await listPublicDocuments(db, [{ kind: 'story', key: await storyOf('p1') }]);
  expect(document?.body).toMatchObject({
    developments: [
      {
        id: 'p1',
        title: launchOf('Orrin 7', 0).title,
        reportIds: ['p2', 'p1'],
        sourceCount: 2,
        firstReportAt: hoursAgo(world, 6),
        latestAt: hoursAgo(world, 4),
      },
    ],
  });
});

it('the page of a story names the evidence for each report after the first', async () => {
  const id = await storyOf('p1');
  const [document] = await listPublicDocuments(db, [{ kind: 'story', key: id }]);
  const site = { language: 'en' } as PageContext['site'];
  const page = renderAssignmentReasons({ site } as PageContext, document?.body as StoryBody);
  const cells = page.text.split(/<[^>]*>/).map((text) => text.trim());
  const evidence = 'similar to one report, similar to all reports of the story';
  expect(cells.filter((cell) => cell === evidence)).toHaveLength(1);
  expect(cells.filter((cell) => cell === '–')).toHaveLength(1);
});

it('a withdrawn report keeps its story and returns when it is restored', async () => {
  const actor = { actor: 'test', note: null };
  const story = await storyOf('p2');
  await changeItem(world, db, 'p2', { action: 'withdraw', ...actor });
  expect(await storyIn('p2')).toBeUndefined();
  await assign();
  expect(await storyOf('p2')).toBe(story);
  await changeItem(world, db, 'p2', { action: 'restore', ...actor });
  expect(await storyIn('p2')).toBe(story);
});

it('a re-enriched item keeps its story, and the log does not grow', async () => {
  const storyBefore = await storyOf('p1');
  await inTransaction(db, (tx) => queueStoryAssignments(tx, ['p1']));
  expect(await assign()).toBe(0);
  expect(await storyOf('p1')).toBe(storyBefore);
  await expectStoriesConsistent(db);
});

it('a roundup is closed: no report joins it', async () => {
  await push(
    { id: 'r1', title: 'Weekly digest: Orrin 7, harbour news and more' },
    { id: 'r2', title: 'Weekly digest: Orrin 7, harbour news and more again', source: 'b' },
  );
  await assign();
  const id = await storyOf('r1');
  expect(await storyOf('r2')).not.toBe(id);
  expect((await readStoriesById(db, [id])).get(id)?.is_closed).toBe(true);
});

it('an item that cannot be stored does not affect the others and is retried', async () => {
  const service = openStoryService(world, db, { editorial: 'editorial' });
  const addConstraint = sql`ALTER TABLE story_members ADD CONSTRAINT no_q2 CHECK (item_id <> 'q2')`;
  await addConstraint.execute(sqlOf(db));
  await push(
    { id: 'q1', title: 'Storm closes the airport of Turku' },
    { id: 'q2', title: 'A bakery in Kuopio wins a prize' },
    { id: 'q3', title: 'Quiet day at the harbour of Lund' },
  );
  expect(await assign(service)).toBe(2);
  expect((await stories()).flat()).not.toContain('q2');
  await sql`ALTER TABLE story_members DROP CONSTRAINT no_q2`.execute(sqlOf(db));
  expect(await assign(service)).toBe(1);
  await expectStoriesConsistent(db);
  await service.close();
});
