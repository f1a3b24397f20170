// A start does not process texts again: the features of each item are stored with the version of
// the rules that made them.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { expectStoriesConsistent, hoursAgo, launchOf, openTestStories } from './test-stories.ts';

const testStories = await openTestStories();
const { world, clock, db, push, assign, stories } = testStories;

const storedFeatures = () =>
  sqlOf(db).selectFrom('story_views').select(['item_id', 'version']).orderBy('item_id').execute();

it('stores the features of every assigned item', async () => {
  await push(
    { id: 'i1', ...launchOf('Orrin 7', 0), at: hoursAgo(world, 6) },
    { id: 'i2', title: 'Regulator fines a chip maker over late filings', at: hoursAgo(world, 5) },
  );
  await assign();
  expect((await storedFeatures()).map(({ item_id }) => item_id)).toEqual(['i1', 'i2']);
});

it('a starting engine loads items from stored features', async () => {
  await sqlOf(db).updateTable('items').set({ title: 'Other words', content: '' }).execute();
  await push({ id: 'i3', ...launchOf('Orrin 7', 1), at: hoursAgo(world, 4), source: 'b' });
  await assign(testStories.openService());
  expect(await stories()).toEqual([['i1', 'i3'], ['i2']]);
  await expectStoriesConsistent(db);
});

it('recomputes features of another version from the text', async () => {
  const [{ version } = { version: '' }] = await storedFeatures();
  await sqlOf(db)
    .updateTable('story_views')
    .set({ version: 'another', view: Buffer.of(1) })
    .execute();
  const text = launchOf('Orrin 7', 0);
  await sqlOf(db)
    .updateTable('items')
    .set({ title: text.title, content: text.text })
    .where('id', 'in', ['i1', 'i3'])
    .execute();
  await push({ id: 'i4', ...launchOf('Orrin 7', 2), at: hoursAgo(world, 3), source: 'c' });
  await assign(testStories.openService());
  expect(await stories()).toEqual([['i1', 'i3', 'i4'], ['i2']]);
  expect((await storedFeatures()).every((row) => row.version === version)).toBe(true);
});

it('removes features of items that are too old to join a story', async () => {
  await sql`UPDATE story_views SET at = at - interval '60 days' WHERE item_id = 'i2'`.execute(
    sqlOf(db),
  );
  clock.advance(2 * HOUR_MS);
  await push({ id: 'i5', title: 'Quiet day at the harbour' });
  await assign();
  expect((await storedFeatures()).map(({ item_id }) => item_id)).toEqual(['i1', 'i3', 'i4', 'i5']);
});
