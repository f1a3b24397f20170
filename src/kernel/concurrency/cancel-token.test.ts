import { expect, test } from 'vitest';
import { Halt } from './cancel-token.ts';

test('everybody who listens is told once, and whoever comes later at once', () => {
  const halt = new Halt<'left' | 'late'>();
  const told: string[] = [];
  const forgotten = () => told.push('forgotten');
  halt.on(() => told.push(`first: ${halt.why}`));
  halt.on(forgotten);
  halt.off(forgotten);
  halt.call('left');
  halt.call('late');
  halt.on(() => told.push(`after it: ${halt.why}`));
  expect(told).toEqual(['first: left', 'after it: left']);
});

test('a signal that was asked for before or after it says the same', () => {
  const halt = new Halt<'late'>();
  const before = halt.signal;
  expect(before.aborted).toBe(false);
  halt.call('late');
  expect([before.aborted, before.reason]).toEqual([true, 'late']);
  const over = new Halt<'late'>();
  over.call('late');
  expect([over.signal.aborted, over.signal.reason]).toEqual([true, 'late']);
});
