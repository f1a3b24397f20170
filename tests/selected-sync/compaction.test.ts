// Selected changes are compacted to the newest state of each item. A mirror of any age still
// reaches the server's set.

import { expect, test } from 'vitest';
import { emptyMirror, type MirrorState, step } from '../../examples/mirror.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { compactSelectedChanges } from '../../src/store/radar/publication/selected-changes.ts';
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

test(`a mirror of any age equals the server after a compaction (seed ${seed})`, async () => {
  const commonFields = { name: 'A', owner: 'A', tier: 'T1', language: 'en', intervalMinutes: 30 };
  const pushFields = { kind: 'push', participation: 'editorial', settings: {} };
  await addSource(world, db, { id: 'a', ...commonFields, ...pushFields });
  await addSource(world, db, { id: 'b', ...commonFields, ...pushFields, tier: 'T2' });
  const random = seededRandom(seed);
  const history = openRandomHistory(world, db, ['a', 'b'], seed);
  const savedStates: string[] = [JSON.stringify(emptyMirror())];
  const state = emptyMirror();
  let compactedCount = 0;
  for (let minute = 0; minute < 40; minute += 1) {
    clock.advance(60_000);
    for (let event = Math.floor(random.next() * 5); event > 0; event -= 1) await history.step();
    const steps = Math.floor(random.next() * 4);
    for (let index = 0; index < steps; index += 1) await step(baseUrl, state);
    savedStates.push(JSON.stringify(state));
    if (random.next() < 0.3) {
      compactedCount += await compactSelectedChanges(
        db,
        clock.now() - Math.floor(random.next() * 3_600_000),
      );
    }
  }
  compactedCount += await compactSelectedChanges(db, clock.now() + 1);
  expect(compactedCount).toBeGreaterThan(10);
  const expected = await readServerItems();
  expect(expected.length).toBeGreaterThan(3);
  for (const [age, text] of savedStates.entries()) {
    const oldState: MirrorState = JSON.parse(text);
    while (!(await step(baseUrl, oldState)).isCurrent);
    expect(mirroredItems(oldState), `saved at minute ${age} of seed ${seed}`).toEqual(expected);
  }
}, 120_000);
