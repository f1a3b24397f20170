import { expect, test } from 'vitest';
import { CancelToken } from './cancel-token.ts';

test('every listener is notified once, and a late listener immediately', () => {
  const token = new CancelToken<'disconnected' | 'timed_out'>();
  const calls: string[] = [];
  const removedListener = () => calls.push('removed');
  token.on(() => calls.push(`first: ${token.reason}`));
  token.on(removedListener);
  token.off(removedListener);
  token.cancel('disconnected');
  token.cancel('timed_out');
  token.on(() => calls.push(`late: ${token.reason}`));
  expect(calls).toEqual(['first: disconnected', 'late: disconnected']);
});

test('a signal created before or after the cancellation is aborted with its reason', () => {
  const token = new CancelToken<'timed_out'>();
  const signalBefore = token.signal;
  expect(signalBefore.aborted).toBe(false);
  token.cancel('timed_out');
  expect([signalBefore.aborted, signalBefore.reason]).toEqual([true, 'timed_out']);
  const cancelled = new CancelToken<'timed_out'>();
  cancelled.cancel('timed_out');
  expect([cancelled.signal.aborted, cancelled.signal.reason]).toEqual([true, 'timed_out']);
});
