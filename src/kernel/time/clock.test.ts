import { describe, expect, test } from 'vitest';
import { manualClock, replayClock, runningClock } from './clock.ts';

describe('a manual clock', () => {
  test('changes only when it is set, also backwards, and wakes sleepers in order', async () => {
    const clock = manualClock(1_000);
    const woken: string[] = [];
    const lateSleep = clock.sleep(200).then(() => woken.push('late'));
    const earlySleep = clock.sleep(100).then(() => woken.push('early'));
    clock.set(500);
    expect([clock.now(), woken]).toEqual([500, []]);
    clock.set(1_200);
    await Promise.all([lateSleep, earlySleep]);
    expect(woken).toEqual(['early', 'late']);
  });

  test('ends an aborted sleep with the reason', async () => {
    const stopController = new AbortController();
    const sleep = manualClock(0).sleep(100, stopController.signal);
    stopController.abort(new Error('enough'));
    await expect(sleep).rejects.toThrow('enough');
    await expect(manualClock(0).sleep(1, stopController.signal)).rejects.toThrow('enough');
  });
});

describe('a replay clock', () => {
  test('stays at its set time until it runs', () => {
    const clock = replayClock(5);
    clock.set(1_000_000);
    expect(clock.now()).toBe(1_000_000);
    clock.run(1_000);
    expect(clock.now()).toBeGreaterThanOrEqual(1_000_000);
    clock.set(7);
    expect(clock.now()).toBe(7);
  });
});

test('a running clock keeps its offset to the machine’s clock', () => {
  const offset = runningClock(3_600_000).now() - runningClock().now();
  expect(Math.abs(offset - 3_600_000)).toBeLessThan(60_000);
});
