import { expect, test } from 'vitest';
import { CancelToken } from './cancel-token.ts';

test('every listener is notified once, and a late listener immediately', () => {
  const halt = new CancelToken<'left' | 'late'>();
  const calls: string[] = [];
  const forgotten = () => calls.push('forgotten');
  halt.on(() => calls.push(`first: ${halt.reason}`));
  halt.on(forgotten);
  halt.off(forgotten);
  halt.cancel('left');
  halt.cancel('late');
  halt.on(() => calls.push(`after it: ${halt.reason}`));
  expect(calls).toEqual(['first: left', 'after it: left']);
});

test('a signal requested before or after cancellation has the same state', () => {
  const halt = new CancelToken<'late'>();
  const before = halt.signal;
  expect(before.aborted).toBe(false);
  halt.cancel('late');
  expect([before.aborted, before.reason]).toEqual([true, 'late']);
  const cancelled = new CancelToken<'late'>();
  cancelled.cancel('late');
  expect([cancelled.signal.aborted, cancelled.signal.reason]).toEqual([true, 'late']);
});
