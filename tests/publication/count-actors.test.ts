import { expect, test } from 'vitest';
import { openActorCount } from '../../src/radar/publication/count-actors.ts';
import { closeDb, openDb, sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { db, connection } = await openTestDatabase();
const rows = () => sqlOf(db).selectFrom('actor_days').selectAll().orderBy('day').execute();
const deleteActors = () => sqlOf(db).deleteFrom('actor_days').execute();
const actors = [
  '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-9222-222222222222',
] as const;

test('counts an actor once a day under a hash that differs from day to day', async () => {
  const { world, clock, logged } = testWorld(1, Date.parse('2026-08-22T15:59:00.000Z'));
  const counter = await openActorCount(world, db);
  for (const actor of [actors[0], actors[1], actors[0], actors[0]]) counter.countActor(actor);
  clock.advance(60_000);
  for (const actor of [actors[0], actors[0], actors[2]]) counter.countActor(actor);
  await counter.close();
  const storedRows = await rows();
  expect(storedRows.map(({ day }) => day)).toEqual([
    '2026-08-22',
    '2026-08-22',
    '2026-08-23',
    '2026-08-23',
  ]);
  expect(new Set(storedRows.map(({ hash }) => hash)).size).toBe(4);
  for (const { hash } of storedRows) expect(hash).toMatch(/^[\w-]{22}$/);
  for (const actor of actors) {
    expect(JSON.stringify(storedRows)).not.toContain(actor);
    expect(logged.join('\n')).not.toContain(actor);
  }
  await deleteActors();
});

test('an actor has the same hash on every node, so it counts once', async () => {
  for (const seed of [1, 2]) {
    const counter = await openActorCount(testWorld(seed).world, db);
    counter.countActor(actors[0]);
    await counter.close();
  }
  expect(await rows()).toHaveLength(1);
  await deleteActors();
});

test('writes counts once a minute, completely', async () => {
  const { world, clock } = testWorld();
  const counter = await openActorCount(world, db);
  counter.countActor(actors[0]);
  clock.advance(59_000);
  expect(await rows()).toEqual([]);
  counter.countActor(actors[1]);
  clock.advance(1_000);
  await expect.poll(async () => (await rows()).length).toBe(2);
  await counter.close();
  await deleteActors();
});

test('without a database the counter continues, and no log names an actor', async () => {
  const { world, clock, logged } = testWorld();
  const unreachableDb = openDb(world.log, connection, { applicationName: 'radar test' });
  const counter = await openActorCount(world, unreachableDb);
  counter.countActor(actors[0]);
  await closeDb(unreachableDb);
  clock.advance(60_000);
  await expect.poll(() => logged.join('\n')).toContain('actors were not counted');
  counter.countActor(actors[1]);
  await counter.close();
  for (const actor of actors) expect(logged.join('\n')).not.toContain(actor);
  expect(await rows()).toEqual([]);
});
