// From enrichment to a story: reports of one event share a story, copies follow their original, and
// every decision is in the log. A rebuilt engine makes the same decisions as an engine that ran all
// the time.
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { areStoriesDue } from '../../src/radar/stories/sync/story-service.ts';
import { readStoryHead } from '../../src/store/radar/stories/story-head.ts';
import { expectStoriesConsistent, hoursAgo, launchOf, openTestStories } from './test-stories.ts';

const testStories = await openTestStories();
const { world, clock, db, push, assign, stories, storyOf } = testStories;

it('assigns reports of one event to one story, and the log has the reason', async () => {
  await push(
    { id: 'i1', ...launchOf('Orrin 7', 0), at: hoursAgo(world, 6) },
    { id: 'i2', title: 'Regulator fines a chip maker over late filings', at: hoursAgo(world, 5) },
    { id: 'i3', ...launchOf('Orrin 7', 1), at: hoursAgo(world, 4), source: 'b' },
  );
  expect(await assign()).toBe(3);
  expect(await stories()).toEqual([['i1', 'i3'], ['i2']]);
  await expectStoriesConsistent(db);
});

it('a new engine makes the same decisions as a running engine', async () => {
  await push({ id: 'i4', ...launchOf('Orrin 7', 2), at: hoursAgo(world, 3), source: 'c' });
  expect(await assign(testStories.openService())).toBe(1);
  expect(await stories()).toEqual([['i1', 'i3', 'i4'], ['i2']]);
  await push({ id: 'i5', ...launchOf('Orrin 7', 3), at: hoursAgo(world, 2) });
  expect(await assign()).toBe(1);
  expect(await stories()).toEqual([['i1', 'i3', 'i4', 'i5'], ['i2']]);
  await expectStoriesConsistent(db);
});

it('a copy joins the story of its original, also within one batch', async () => {
  await push(
    { id: 'i6', title: 'Same words, another paper', copyOf: 'i2', source: 'b' },
    { id: 'i7', title: 'Quiet day at the harbour', at: hoursAgo(world, 1) },
    { id: 'i8', title: 'Something that is nowhere like it', copyOf: 'i7', source: 'c' },
  );
  expect(await assign()).toBe(3);
  expect(await storyOf('i6')).toBe(await storyOf('i2'));
  expect(await storyOf('i8')).toBe(await storyOf('i7'));
  await expectStoriesConsistent(db);
});

const readLastPass = async () => (await readStoryHead(db)).compared_at;

/** Runs the pass of the next full hour; returns its time. */
async function passHour(): Promise<number> {
  clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
  await assign();
  return clock.now();
}

it('clusters again before the hour after many new items', async () => {
  const pushReports = async (first: number, count: number) => {
    const numbers = Array.from({ length: count }, (_, n) => first + n);
    await push(...numbers.map((n) => ({ id: `n${n}`, title: `Word${n} other${n} third${n}` })));
    expect(await assign()).toBe(count);
  };
  const hourlyPass = await passHour();
  clock.advance(2 * MINUTE_MS);
  await pushReports(0, 199);
  expect(await readLastPass()).toBe(hourlyPass);
  await pushReports(199, 1);
  const earlierPass = world.clock.now();
  expect(await readLastPass()).toBe(earlierPass);
  clock.advance(1);
  await pushReports(200, 200);
  expect(await readLastPass()).toBe(earlierPass);
  clock.advance(2 * MINUTE_MS);
  expect(await areStoriesDue(world, db)).toBe(true);
  await assign();
  expect(await areStoriesDue(world, db)).toBe(false);
  await expectStoriesConsistent(db);
});

it('clusters again two minutes after the last of a few new items, and then not again', async () => {
  const hourlyPass = await passHour();
  expect(await readLastPass()).toBe(hourlyPass);
  const isDueAfter = (ms: number) => {
    clock.advance(ms);
    return areStoriesDue(world, db);
  };
  expect(await isDueAfter(10 * MINUTE_MS)).toBe(false);
  await push({ id: 'q1', title: 'Dredger frees the harbour of Cape Sorrel' });
  await assign();
  expect(await isDueAfter(MINUTE_MS)).toBe(false);
  await push({ id: 'q2', title: 'Harbour of Cape Sorrel free again after weeks' });
  await assign();
  expect(await readLastPass()).toBe(hourlyPass);
  expect(await isDueAfter(2 * MINUTE_MS - 1)).toBe(false);
  expect(await isDueAfter(1)).toBe(true);
  await assign();
  expect(await readLastPass()).toBe(clock.now());
  expect(await isDueAfter(2 * MINUTE_MS)).toBe(false);
  await expectStoriesConsistent(db);
});
