import { expect, test } from 'vitest';
import { manualClock } from '../time/clock.ts';
import { openCircuitBreaker } from './circuit-breaker.ts';

const openBreaker = () => {
  const clock = manualClock(5_000_000);
  const breaker = openCircuitBreaker(clock, { firstMs: 30_000, longestMs: 600_000 });
  const fail = (times: number) => {
    for (let index = 0; index < times; index += 1) breaker.recordFailure();
  };
  return { clock, breaker, fail };
};

test('opens after five failures in a row, with growing pauses, and closes after a success', () => {
  const { clock, breaker, fail } = openBreaker();
  fail(4);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
  expect(breaker.recordFailure()).toBe(true);
  expect([breaker.waitMs(), breaker.state()]).toEqual([30_000, 'open']);
  clock.advance(30_000);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'half_open']);
  fail(1);
  expect(breaker.waitMs()).toBe(60_000);
  clock.advance(60_000);
  breaker.recordSuccess();
  fail(1);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
});

test('no pause exceeds the configured maximum', () => {
  const { clock, breaker, fail } = openBreaker();
  fail(5);
  for (let index = 0; index < 9; index += 1) {
    clock.advance(breaker.waitMs());
    fail(1);
  }
  expect(breaker.waitMs()).toBe(600_000);
});

test('failures of requests that began before the circuit opened do not lengthen the pause', () => {
  const { clock, breaker, fail } = openBreaker();
  fail(5);
  clock.advance(10_000);
  fail(5);
  expect(breaker.waitMs()).toBe(20_000);
});

test('opens at once for a permanent error', () => {
  const { breaker } = openBreaker();
  breaker.recordFailure(true);
  expect(breaker.waitMs()).toBe(30_000);
});

test('a clock that is set back ends the pause', () => {
  const { clock, breaker, fail } = openBreaker();
  fail(5);
  clock.advance(-1_000_000);
  expect(breaker.waitMs()).toBe(0);
  breaker.pauseFor(7_000);
  clock.advance(-10_000);
  expect(breaker.waitMs()).toBe(0);
});

test('in the half-open state one request is the probe, and the others wait for its end', () => {
  const { clock, breaker, fail } = openBreaker();
  fail(5);
  clock.advance(30_000);
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  expect(breaker.enter()).toEqual({ waitMs: 1_000, isProbe: false });
  breaker.recordAbandoned();
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  clock.advance(60_000);
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  breaker.recordSuccess();
  expect([breaker.enter(), breaker.enter()]).toEqual(Array(2).fill({ waitMs: 0, isProbe: false }));
});

test('a requested pause applies even when other requests succeed', () => {
  const { clock, breaker } = openBreaker();
  breaker.pauseFor(7_000);
  breaker.pauseFor(2_000);
  breaker.recordSuccess();
  expect([breaker.waitMs(), breaker.state()]).toEqual([7_000, 'open']);
  clock.advance(7_000);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
});
