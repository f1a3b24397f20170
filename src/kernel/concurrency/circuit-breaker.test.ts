import { expect, test } from 'vitest';
import { manualClock } from '../time/clock.ts';
import { openCircuitBreaker } from './circuit-breaker.ts';

const open = () => {
  const clock = manualClock(5_000_000);
  const breaker = openCircuitBreaker(clock, { firstMs: 30_000, longestMs: 600_000 });
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.failed();
  };
  return { clock, breaker, fail };
};

test('opens after five failures in a row, longer each time, and closes after a success', () => {
  const { clock, breaker, fail } = open();
  fail(4);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
  expect(breaker.failed()).toBe(true);
  expect([breaker.waitMs(), breaker.state()]).toEqual([30_000, 'open']);
  clock.advance(30_000);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'half_open']);
  fail(1);
  expect(breaker.waitMs()).toBe(60_000);
  clock.advance(60_000);
  breaker.succeeded();
  fail(1);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
});

test('never pauses longer than its longest pause', () => {
  const { clock, breaker, fail } = open();
  fail(5);
  for (let n = 0; n < 9; n += 1) {
    clock.advance(breaker.waitMs());
    fail(1);
  }
  expect(breaker.waitMs()).toBe(600_000);
});

test('failures of requests that began before it opened do not lengthen its pause', () => {
  const { clock, breaker, fail } = open();
  fail(5);
  clock.advance(10_000);
  fail(5);
  expect(breaker.waitMs()).toBe(20_000);
});

test('opens at once for a permanent error', () => {
  const { breaker } = open();
  breaker.failed(true);
  expect(breaker.waitMs()).toBe(30_000);
});

test('a clock that is set back ends the pause', () => {
  const { clock, breaker, fail } = open();
  fail(5);
  clock.advance(-1_000_000);
  expect(breaker.waitMs()).toBe(0);
  breaker.restFor(7_000);
  clock.advance(-10_000);
  expect(breaker.waitMs()).toBe(0);
});

test('in the half-open state one request is the probe, and the others wait for its end', () => {
  const { clock, breaker, fail } = open();
  fail(5);
  clock.advance(30_000);
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  expect(breaker.enter()).toEqual({ waitMs: 1_000, isProbe: false });
  breaker.recordAbandoned();
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  clock.advance(60_000);
  expect(breaker.enter()).toEqual({ waitMs: 0, isProbe: true });
  breaker.succeeded();
  expect([breaker.enter(), breaker.enter()]).toEqual(Array(2).fill({ waitMs: 0, isProbe: false }));
});

test('a requested pause applies even when other requests succeed', () => {
  const { clock, breaker } = open();
  breaker.restFor(7_000);
  breaker.restFor(2_000);
  breaker.succeeded();
  expect([breaker.waitMs(), breaker.state()]).toEqual([7_000, 'open']);
  clock.advance(7_000);
  expect([breaker.waitMs(), breaker.state()]).toEqual([0, 'closed']);
});
