import { expect, test } from 'vitest';
import { openSlots } from './slots.ts';

test('two run at a time, the others in the order in which they came', async () => {
  const slots = openSlots(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (n: number) =>
    slots.run(() => {
      begun.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [1, 2, 3, 4].map(work);
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  ends[1]?.();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([1, 2, 3]);
  ends[0]?.();
  ends[2]?.();
  await all[2];
  await Promise.resolve();
  ends[3]?.();
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3, 4]);
});

test('work that fails gives its place back', async () => {
  const slots = openSlots(1);
  await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run(async () => 'next')).toBe('next');
});
