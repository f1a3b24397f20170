import { expect, test } from 'vitest';
import { openSemaphore, type Semaphore } from './semaphore.ts';

/** Starts work that ends on request, and records the order of the starts. */
function recordStarts(slots: Semaphore) {
  const started: string[] = [];
  const releases = new Map<string, () => void>();
  const start = (owner: string, name: string) =>
    slots.run(owner, () => {
      started.push(name);
      return new Promise<void>((resolve) => releases.set(name, resolve));
    });
  const end = async (name: string) => {
    releases.get(name)?.();
    // The release happens a few microtasks after the end.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const waitForEventLoop = () => new Promise((resolve) => setImmediate(resolve));
  return { started, start, end, waitForEventLoop };
}

test('runs two tasks at a time, and the tasks of an owner in order of arrival', async () => {
  const { started, start, end, waitForEventLoop } = recordStarts(openSemaphore(2));
  for (const name of ['1', '2', '3', '4']) start('a', name);
  await waitForEventLoop();
  expect(started).toEqual(['1', '2']);
  await end('2');
  expect(started).toEqual(['1', '2', '3']);
  await end('1');
  expect(started).toEqual(['1', '2', '3', '4']);
});

test('serves a second owner next, for any queue length of the first owner', async () => {
  const { started, start, end, waitForEventLoop } = recordStarts(openSemaphore(1));
  for (let index = 1; index <= 50; index += 1) start('slow', `slow ${index}`);
  start('fast', 'fast 1');
  start('fast', 'fast 2');
  await waitForEventLoop();
  await end('slow 1');
  await end('slow 2');
  await end('fast 1');
  expect(started).toEqual(['slow 1', 'slow 2', 'fast 1', 'slow 3']);
});

test('an owner at its limit leaves a slot for others while its work stalls', async () => {
  const { started, start, end, waitForEventLoop } = recordStarts(openSemaphore(2, 1));
  start('slow', 'slow 1');
  start('slow', 'slow 2');
  start('fast', 'fast 1');
  await waitForEventLoop();
  expect(started).toEqual(['slow 1', 'fast 1']);
  start('fast', 'fast 2');
  await end('fast 1');
  expect(started).toEqual(['slow 1', 'fast 1', 'fast 2']);
  await end('slow 1');
  expect(started).toEqual(['slow 1', 'fast 1', 'fast 2', 'slow 2']);
});

test('work that fails releases its slot', async () => {
  const slots = openSemaphore(1);
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('b', async () => 'next')).toBe('next');
});

test('the semaphore admits a fixed number in order and removes aborted callers', async () => {
  const semaphore = openSemaphore(1);
  const entered: string[] = [];
  const releaseFirst = await semaphore.acquire();
  const abortController = new AbortController();
  const abortedResult = semaphore.acquire(abortController.signal).catch(() => 'gone');
  const secondAcquired = semaphore.acquire().then((release) => {
    entered.push('second');
    return release;
  });
  const thirdAcquired = semaphore.acquire().then(() => entered.push('third'));
  abortController.abort(new Error('gone'));
  expect(await abortedResult).toBe('gone');
  releaseFirst();
  releaseFirst();
  const releaseSecond = await secondAcquired;
  expect(entered).toEqual(['second']);
  releaseSecond();
  await thirdAcquired;
  expect(entered).toEqual(['second', 'third']);
});
