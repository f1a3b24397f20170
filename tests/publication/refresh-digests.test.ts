import { expect, test } from 'vitest';
import { digestRules } from '../../src/radar/publication/digest/digest.ts';
import { refreshDigests } from '../../src/radar/publication/documents/refresh-digests.ts';
import { documentOf } from '../../src/radar/publication/read-model/documents.ts';
import { listStoryDigests, saveStoryDigests } from '../../src/store/radar/stories/story-digests.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const { db } = await openTestDatabase();
const publisher = openStoryPublisher(world, db);
await publisher.addSource({ id: 'ledger' });
const publication = await openTestPublication(world, db);

test('replaces a digest of earlier rules with the digest of the current rules', async () => {
  const text = 'The harbour of Quay was closed on Monday after a crane fell into the water.';
  await publisher.publish({
    source: 'ledger',
    story: 'quay',
    title: 'A crane falls in Quay',
    text,
  });
  await publication.catchUp();
  const storyBody = documentOf(publication.readModel(), 'story', 'quay')?.body;
  expect(storyBody).toMatchObject({ digest: text });
  const [row] = await listStoryDigests(db, ['quay']);
  if (row === undefined) throw new Error('the public story has no digest');
  const digest = { ...(row.digest as object), text: 'Older words.', title: 'Older' };
  await saveStoryDigests(db, [{ ...row, rules: 'digest-0', digest }]);

  expect(await refreshDigests(world, db)).toBe(1);
  expect(await refreshDigests(world, db)).toBe(0);
  await publication.catchUp();
  expect(documentOf(publication.readModel(), 'story', 'quay')?.body).toEqual(storyBody);
  const storedDigests = await listStoryDigests(db, ['quay']);
  expect(storedDigests.map(({ rules, version }) => [rules, version])).toEqual([
    [digestRules, row.version + 1],
  ]);
});
