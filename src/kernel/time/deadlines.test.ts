import { expect, test } from 'vitest';
import { manualClock } from './clock.ts';
import { openDeadlines } from './deadlines.ts';

const turns = async () => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};

function openTestDeadlines() {
  const clock = manualClock(1_000_000);
  const deadlines = openDeadlines(clock);
  const late: string[] = [];
  const wait = (name: string, ms: number) => deadlines.after(ms, () => late.push(name));
  const advance = async (ms: number) => {
    clock.advance(ms);
    await turns();
  };
  return { clock, late, wait, advance };
}

test('each deadline fires at its own time', async () => {
  const { late, wait, advance } = openTestDeadlines();
  wait('first', 100);
  await advance(60);
  wait('second', 100);
  wait('short', 10);
  await advance(10);
  expect(late).toEqual(['short']);
  await advance(30);
  expect(late).toEqual(['short', 'first']);
  await advance(59);
  expect(late).toEqual(['short', 'first']);
  await advance(1);
  expect(late).toEqual(['short', 'first', 'second']);
});

test('a canceled deadline does not fire, and later ones do', async () => {
  const { late, wait, advance } = openTestDeadlines();
  const callOff = wait('called off', 100);
  await advance(50);
  wait('kept', 100);
  callOff();
  await advance(100);
  expect(late).toEqual(['kept']);
  callOff();
  wait('next', 100);
  await advance(100);
  expect(late).toEqual(['kept', 'next']);
});

test('a clock set back extends a wait by at most its length', async () => {
  let now = 1_000_000;
  const slept: { readonly ms: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => slept.push({ ms, wake }));
  const late: string[] = [];
  openDeadlines({ now: () => now, sleep }).after(100, () => late.push('late'));
  now -= 3_600_000;
  slept[0]?.wake();
  await turns();
  expect([late, slept.map(({ ms }) => ms)]).toEqual([[], [100, 100]]);
  now += 100;
  slept[1]?.wake();
  await turns();
  expect(late).toEqual(['late']);
});

test('after the stop no deadline fires, and no timer is left', async () => {
  const clock = manualClock(1_000_000);
  const stop = new AbortController();
  const deadlines = openDeadlines(clock, stop.signal);
  const late: string[] = [];
  deadlines.after(100, () => late.push('before'));
  stop.abort();
  await turns();
  deadlines.after(100, () => late.push('after'));
  clock.advance(1_000);
  await turns();
  expect(late).toEqual([]);
});
