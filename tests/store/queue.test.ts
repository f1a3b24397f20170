// The queue: two jobs with the same name and key never run at the same time, and the next job
// starts without delay.
import { expect, test } from 'vitest';
import { openQueue } from '../../src/store/platform/queue.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world, logged } = testWorld();
const { db } = await openTestDatabase();
const kinds = ['burst', 'single', 'failing'].map((name) => {
  return { name, expireInSeconds: 60, retryLimit: 2 };
});
const openTestQueue = (role: 'worker' | 'sender') => openQueue(world, db, { role, kinds });

// With polling alone, these jobs would exceed the time limit of a test.
test('two workers complete two hundred jobs', async () => {
  const queue = await openTestQueue('worker');
  const doneKeys: string[] = [];
  await queue.work('burst', 2, async ({ key }) => {
    doneKeys.push(String(key));
  });
  const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`);
  for (const key of keys) await queue.send('burst', key, { key });
  await until(async () => (doneKeys.length >= keys.length ? true : null));
  expect(doneKeys.sort()).toEqual(keys.sort());
  await queue.close();
});

test('a job with a key exists only once, and may be queued again after its end', async () => {
  const [sender, queue] = [await openTestQueue('sender'), await openTestQueue('worker')];
  await sender.send('single', 'same', { run: 1 });
  await sender.send('single', 'same', { run: 2 });
  const runs: unknown[] = [];
  const releaseJobs = Promise.withResolvers<void>();
  await queue.work('single', 2, async ({ run }) => {
    runs.push(run);
    await releaseJobs.promise;
  });
  await until(async () => (runs.length > 0 ? true : null));
  await sender.send('single', 'same', { run: 3 });
  await sender.send('single', 'other', { run: 4 });
  await until(async () => (runs.length > 1 ? true : null));
  releaseJobs.resolve();
  await until(async () => {
    await sender.send('single', 'same', { run: 5 });
    return runs.length > 2 ? true : null;
  });
  expect(runs.slice(0, 3)).toEqual([1, 4, 5]);
  await queue.close();
  await sender.close();
});

test('reports and retries a failed job', async () => {
  const queue = await openTestQueue('worker');
  let runs = 0;
  await queue.work('failing', 1, async () => {
    runs += 1;
    if (runs < 2) throw new RangeError('not yet');
  });
  await queue.send('failing', 'key', {});
  await until(async () => (runs === 2 ? true : null));
  expect(runs).toBe(2);
  const lines = logged.filter((line) => line.includes('a job failed'));
  expect(lines).toEqual([expect.stringContaining('RangeError: not yet')]);
  await queue.close();
});
