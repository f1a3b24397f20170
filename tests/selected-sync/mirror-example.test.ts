// The mirror client of `examples/`, written from the contract alone, over real HTTP. It equals the
// server through an hour of random changes, with kills and restarts.

import { expect, test } from 'vitest';
import { emptyMirror, type MirrorState, step } from '../../examples/mirror.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { proofSeed } from '../support/proof-size.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';
import { openRandomHistory } from './random-history.ts';

const { db } = await openTestDatabase();
const seed = proofSeed();
const { world, clock } = testWorld(seed);
const publication = await openTestPublication(world, db);
const baseUrl = await openTestServer(world, publication);

async function readServerItems() {
  const rows = await sqlOf(db)
    .selectFrom('public_items')
    .select(['id', 'title', 'score'])
    .where('selected', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ id, title, score }) => ({ id, title, score }));
}

type MirroredItem = { id: string; title: string; score: number };

const mirroredItems = (state: MirrorState) =>
  (Object.values(state.items) as MirroredItem[])
    .map(({ id, title, score }) => ({ id, title, score }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

test(`mirrors an hour of changes minute by minute (seed ${seed})`, async () => {
  const commonFields = { name: 'A', owner: 'A', tier: 'T1', language: 'en', intervalMinutes: 30 };
  const pushFields = { kind: 'push', participation: 'editorial', settings: {} };
  await addSource(world, db, { id: 'a', ...commonFields, ...pushFields });
  await addSource(world, db, { id: 'b', ...commonFields, ...pushFields, tier: 'T2' });
  const random = seededRandom(seed);
  const history = openRandomHistory(world, db, ['a', 'b'], seed);
  let state = emptyMirror();
  for (let minute = 0; minute < 60; minute += 1) {
    clock.advance(60_000);
    const events = Math.floor(random.next() * 4);
    for (let event = 0; event < events; event += 1) {
      await history.step();
      if (random.next() < 0.3) await step(baseUrl, state);
    }
    // The mirror is killed and resumes with only its saved state.
    if (random.next() < 0.2) state = JSON.parse(JSON.stringify(state));
    while (!(await step(baseUrl, state)).isCurrent);
    expect(mirroredItems(state), `minute ${minute} of seed ${seed}`).toEqual(
      await readServerItems(),
    );
  }
  expect(mirroredItems(state).length).toBeGreaterThan(5);
}, 120_000);

test('a token of another change log restarts the mirror', async () => {
  const state = { ...emptyMirror(), cursor: 's1.bm90.aaaaaaaaaaaaaaaaaaaaaa' };
  expect(await step(baseUrl, state)).toEqual({ isCurrent: false, waitSeconds: 0 });
  expect(state.cursor).toBeNull();
  while (!(await step(baseUrl, state)).isCurrent);
  expect(mirroredItems(state)).toEqual(await readServerItems());
});
