import { expect, test } from 'vitest';
import { manualClock } from '../time/clock.ts';
import { openBatcher } from './batcher.ts';

test('collects items of one interval into a batch', async () => {
  const clock = manualClock(0);
  const batcher = openBatcher(clock, 20);
  const done: string[] = [];
  const wait = (name: string) => batcher.wait().then(() => done.push(`${name} ${clock.now()}`));
  const first = wait('a');
  clock.advance(15);
  const second = wait('b');
  clock.advance(5);
  await Promise.all([first, second]);
  const third = wait('c');
  clock.advance(20);
  await third;
  expect(done).toEqual(['a 20', 'b 20', 'c 40']);
});

test('delivers at once with an interval of zero', async () => {
  const batcher = openBatcher(manualClock(0), 20);
  const waiting = batcher.wait();
  await batcher.runImmediately(async () => {
    await waiting;
    await batcher.wait();
  });
});
