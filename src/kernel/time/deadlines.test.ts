import { expect, test } from 'vitest';
import { manualClock } from './clock.ts';
import { openDeadlines } from './deadlines.ts';

const runMicrotasks = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

function openTestDeadlines() {
  const clock = manualClock(1_000_000);
  const deadlines = openDeadlines(clock);
  const firedNames: string[] = [];
  const wait = (name: string, ms: number) => deadlines.callAfter(ms, () => firedNames.push(name));
  const advance = async (ms: number) => {
    clock.advance(ms);
    await runMicrotasks();
  };
  return { clock, firedNames, wait, advance };
}

test('each deadline fires at its own time', async () => {
  const { firedNames, wait, advance } = openTestDeadlines();
  wait('first', 100);
  await advance(60);
  wait('second', 100);
  wait('short', 10);
  await advance(10);
  expect(firedNames).toEqual(['short']);
  await advance(30);
  expect(firedNames).toEqual(['short', 'first']);
  await advance(59);
  expect(firedNames).toEqual(['short', 'first']);
  await advance(1);
  expect(firedNames).toEqual(['short', 'first', 'second']);
});

test('a canceled deadline does not fire, but later deadlines do', async () => {
  const { firedNames, wait, advance } = openTestDeadlines();
  const cancelDeadline = wait('called off', 100);
  await advance(50);
  wait('kept', 100);
  cancelDeadline();
  await advance(100);
  expect(firedNames).toEqual(['kept']);
  cancelDeadline();
  wait('next', 100);
  await advance(100);
  expect(firedNames).toEqual(['kept', 'next']);
});

test('a clock that is set back at most doubles a wait', async () => {
  let now = 1_000_000;
  const sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => sleeps.push({ ms, wake }));
  const firedNames: string[] = [];
  openDeadlines({ now: () => now, sleep }).callAfter(100, () => firedNames.push('late'));
  now -= 3_600_000;
  sleeps[0]?.wake();
  await runMicrotasks();
  expect([firedNames, sleeps.map(({ ms }) => ms)]).toEqual([[], [100, 100]]);
  now += 100;
  sleeps[1]?.wake();
  await runMicrotasks();
  expect(firedNames).toEqual(['late']);
});

test('after the stop no deadline fires, and no timer remains', async () => {
  const clock = manualClock(1_000_000);
  const stop = new AbortController();
  const deadlines = openDeadlines(clock, stop.signal);
  const firedNames: string[] = [];
  deadlines.callAfter(100, () => firedNames.push('before'));
  stop.abort();
  await runMicrotasks();
  deadlines.callAfter(100, () => firedNames.push('after'));
  clock.advance(1_000);
  await runMicrotasks();
  expect(firedNames).toEqual([]);
});
