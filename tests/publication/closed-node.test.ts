// A process that opens its servers again, as after the setup page, has a new node. The closed node
// must not delay the confirmation of a change.
import { expect, test } from 'vitest';
import { awaitNodes } from '../../src/radar/publication/await-nodes.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

test('a change needs no confirmation of a closed node of a running process', async () => {
  const { world } = testWorld();
  const { db } = await openTestDatabase();
  const closedNode = await openTestPublication(world, db);
  const publication = await openTestPublication(world, db);
  await closedNode.close();
  const publisher = await openItemPublisher(world, db);
  await publisher.publish('The mill opens again');
  await publication.catchUp();
  const seq = publication.readModel().version;
  expect(await awaitNodes(world, db, seq, 0)).toEqual({ kind: 'confirmed', nodes: 1 });
});
