// Three workers assign one stream to stories concurrently, and one is killed within a batch. Each
// item is in one story, no event has two stories, and the log is complete. The result equals that
// of a single worker.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { eventsOf, inventedEvents } from '../stories/made-events.ts';
import {
  addPushSource,
  expectStoriesConsistent,
  storeItem,
  storiesOf,
} from '../stories/test-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world } = testWorld();
const { db, connection } = await openTestDatabase();
const launcher = join(import.meta.dirname, '../../bin/node24');
const script = fileURLToPath(new URL('./story-worker.ts', import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

type Worker = { readonly name: string; assign(): Promise<boolean>; kill(): void };

/** `assign` returns whether the worker survived. */
async function startWorker(name: string, now: number): Promise<Worker> {
  const args = [script, JSON.stringify(connection), name, String(now)];
  const child = spawn(launcher, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return {
    name,
    assign: async () => {
      child.stdin.write('assign\n');
      return (await lines.next()).done !== true;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

const events = inventedEvents(20, (index) => TEST_NOW - 5 * HOUR_MS + index * MINUTE_MS);
const eventsBetween = (from: number, to: number) => events.slice(from, to);

async function push(items: typeof events): Promise<void> {
  for (const item of items) await storeItem(world, db, item);
}

test('three workers, one of them killed, assign every item once', async () => {
  for (const id of ['a', 'b', 'c']) await addPushSource(world, db, id);
  const startNamedWorker = (name: string) => startWorker(name, TEST_NOW);
  const workers = await Promise.all(['first', 'second', 'third'].map(startNamedWorker));
  for (let from = 0; from < 45; from += 15) {
    await push(eventsBetween(from, from + 15));
    expect(await Promise.all(workers.map((worker) => worker.assign()))).toEqual([true, true, true]);
    await expectStoriesConsistent(db);
  }

  // The process with the head lock now waits at its first row of the log.
  await push(eventsBetween(45, events.length));
  const holder = new pg.Client({ ...connection });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE story_assignments IN SHARE MODE');
  const outcomes = workers.map((worker) => worker.assign());
  const killedWorker = await until(async () => {
    const { rows } = await holder.query(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE NOT l.granted AND l.relation = 'story_assignments'::regclass`,
    );
    return workers.find(({ name }) => rows.some((row) => row.name === name)) ?? null;
  });
  killedWorker.kill();
  await holder.query('ROLLBACK');
  await holder.end();
  const survivors = await Promise.all(outcomes);
  expect(workers.filter((_, index) => !survivors[index])).toEqual([killedWorker]);
  await expectStoriesConsistent(db);

  // The repair passes of one day merge the stories that the workers created separately.
  const dayLater = await startWorker('later', TEST_NOW + 25 * HOUR_MS);
  await dayLater.assign();
  await expectStoriesConsistent(db);
  expect(await storiesOf(db)).toEqual(eventsOf(events));
  const log = await sqlOf(db)
    .selectFrom('story_assignments')
    .select('item_id')
    .distinct()
    .execute();
  expect(log.length).toBe(events.length);
});
