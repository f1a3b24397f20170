// A read model follows a clock that goes forward and back, while nothing else happens.

import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { sizeOf } from '../../src/radar/publication/read-model/read-model.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';

const { db } = await openTestDatabase();
const { world, clock } = testWorld();
const publisher = await openItemPublisher(world, db);
const publication = await openTestPublication(world, db);
const url = await openTestServer(world, publication);

async function titles(): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/items?mode=all`);
  const body = (await response.json()) as { items: { title: string }[] };
  return body.items.map((item) => item.title);
}

async function sizeAt(instant: number) {
  clock.set(instant);
  await publication.catchUp();
  return sizeOf(publication.readModel());
}

test('old items leave the read model once a minute without other changes', async () => {
  await publisher.publish('old', TEST_NOW - 6 * DAY_MS);
  await publisher.publish('new', TEST_NOW);
  expect(await sizeAt(TEST_NOW)).toBe(2);
  const model = publication.readModel();
  await sizeAt(TEST_NOW + 59_999);
  expect(publication.readModel()).toBe(model);
  expect(await sizeAt(TEST_NOW + DAY_MS)).toBe(2);
  expect(await titles()).toEqual(['new', 'old']);
  expect(await sizeAt(TEST_NOW + DAY_MS + 60_000)).toBe(2);
  expect(await titles()).toEqual(['new']);
  expect(await sizeAt(TEST_NOW + DAY_MS + HOUR_MS + 60_000)).toBe(1);
  expect(publication.readModel().version).toBe(model.version);
});

test('after the clock moves back, the list shows all public items of that time', async () => {
  // This request comes before the read model is rebuilt. Its response lacks the old item and must
  // not be reused afterwards.
  clock.set(TEST_NOW + 5_000);
  expect(await titles()).toEqual(['new']);
  expect(await sizeAt(TEST_NOW + 5_000)).toBe(2);
  expect(await titles()).toEqual(['new', 'old']);
});

test('a clock up to one hour behind does not rebuild the read model', async () => {
  await sizeAt(TEST_NOW + DAY_MS + HOUR_MS);
  expect(await sizeAt(TEST_NOW + DAY_MS)).toBe(2);
  expect(await titles()).toEqual(['new', 'old']);
});
