import { expect, test } from 'vitest';
import { manualClock } from '../time/clock.ts';
import { openBatcher } from './batcher.ts';

test('callers that wait during one pause continue together at its end', async () => {
  const clock = manualClock(0);
  const batcher = openBatcher(clock, 20);
  const finished: string[] = [];
  const waitAndRecord = (name: string) =>
    batcher.wait().then(() => finished.push(`${name} ${clock.now()}`));
  const first = waitAndRecord('a');
  clock.advance(15);
  const second = waitAndRecord('b');
  clock.advance(5);
  await Promise.all([first, second]);
  const third = waitAndRecord('c');
  clock.advance(20);
  await third;
  expect(finished).toEqual(['a 20', 'b 20', 'c 40']);
});

test('immediate work ends the current pause, and no new pause starts', async () => {
  // The clock stands still, so the test would time out in any pause.
  const batcher = openBatcher(manualClock(0), 20);
  const pendingWait = batcher.wait();
  await batcher.runImmediately(async () => {
    await pendingWait;
    await batcher.wait();
  });
});
