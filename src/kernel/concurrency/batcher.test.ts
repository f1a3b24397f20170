import { expect, test } from 'vitest';
import { movedClock } from '../time/clock.ts';
import { openGather } from './batcher.ts';

test('what comes within a moment goes on together when it ends', async () => {
  const clock = movedClock(0);
  const gather = openGather(clock, 20);
  const done: string[] = [];
  const wait = (name: string) => gather.moment().then(() => done.push(`${name} ${clock.now()}`));
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

test('in a hurry nothing waits', async () => {
  const gather = openGather(movedClock(0), 20);
  const waiting = gather.moment();
  await gather.hurry(async () => {
    await waiting;
    await gather.moment();
  });
});
