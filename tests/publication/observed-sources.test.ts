import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { listObservedSources } from '../../src/store/radar/publication/rankings.ts';
import { insertFetch } from '../../src/store/radar/sources/fetches.ts';
import { setSourceStatus } from '../../src/store/radar/sources/sources.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const PERIOD_END = clock.now();
const periodStart = PERIOD_END - 6 * HOUR_MS;

const addFeed = async (id: string, intervalMinutes = 30) => {
  const common = { kind: 'feed', name: id, owner: id, tier: 'T2', language: 'en' } as const;
  const settings = { url: `https://${id}.example/feed` };
  const otherFields = { intervalMinutes, participation: 'editorial', settings } as const;
  await addSource(world, db, { id, ...common, ...otherFields });
};
const insertFetchAt = (
  source_id: string,
  hoursBeforeEnd: number,
  outcome: 'read' | 'unchanged' | 'failed',
) =>
  insertFetch(db, {
    id: world.ids.next(),
    source_id,
    outcome,
    started_at: PERIOD_END - hoursBeforeEnd * HOUR_MS,
    duration_ms: 1,
    status: 200,
    bytes: 1,
    entries: 0,
    created: 0,
    changed: 0,
    message: null,
    notes: null,
  });

test('a source is observed when it was fetched without a gap over the whole period', async () => {
  clock.set(PERIOD_END - DAY_MS);
  const ids = ['good', 'broken', 'late', 'silent', 'mended', 'paused', 'off', 'asleep', 'stopped'];
  for (const id of ids) await addFeed(id);
  await addFeed('slow', 50);
  clock.set(PERIOD_END);
  await addFeed('young');
  for (const hours of [7, 5, 2.5])
    await insertFetchAt('good', hours, hours === 5 ? 'unchanged' : 'read');
  for (const hours of [7, 5, 2.5])
    await insertFetchAt('broken', hours, hours === 5 ? 'failed' : 'read');
  for (const hours of [5, 2.5]) await insertFetchAt('late', hours, 'read');
  await insertFetchAt('silent', 7, 'read');
  for (const hours of [8, 7]) await insertFetchAt('mended', hours, hours === 8 ? 'read' : 'failed');
  for (const hours of [4.5, 2]) await insertFetchAt('mended', hours, 'read');
  for (const hours of [7, 4.5, 2]) await insertFetchAt('paused', hours, 'read');
  await setSourceStatus(db, 'paused', 'paused', PERIOD_END);
  for (const hours of [7, 4.5, 2]) await insertFetchAt('young', hours, 'read');
  // These sources were not fetched for some hours of the period.
  for (const hours of [20, 5, 2.5]) await insertFetchAt('off', hours, 'read');
  for (const hours of [7, 5, 1]) await insertFetchAt('asleep', hours, 'read');
  for (const hours of [7, 5.5, 3.5]) await insertFetchAt('stopped', hours, 'read');
  for (const hours of [7, 3]) await insertFetchAt('slow', hours, 'read');
  expect(await listObservedSources(db, periodStart, PERIOD_END)).toEqual(['good', 'slow']);
});

test('a push source is always observed', async () => {
  clock.set(PERIOD_END - DAY_MS);
  const common = { kind: 'push', name: 'pusher', owner: 'pusher', tier: 'T2', language: 'en' };
  const otherFields = { intervalMinutes: 30, participation: 'editorial', settings: {} };
  await addSource(world, db, { id: 'pusher', ...common, ...otherFields });
  expect(await listObservedSources(db, periodStart, PERIOD_END)).toContain('pusher');
});
