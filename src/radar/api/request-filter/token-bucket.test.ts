import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofSeed } from '../../../../tests/support/proof-size.ts';
import { fullBucket, takeToken } from './token-bucket.ts';

test('a burst is admitted at once, then as many as the rate permits', () => {
  const rate = { perSecond: 50, burst: 500 };
  const bucket = fullBucket(rate, 0);
  const admitted = (now: number) => {
    let count = 0;
    while (takeToken(bucket, rate, now) === 0) count += 1;
    return count;
  };
  expect(admitted(0)).toBe(500);
  expect(admitted(1_000)).toBe(50);
  expect(admitted(1_010)).toBe(0);
  expect(admitted(1_020)).toBe(1);
  expect(admitted(3_600_000)).toBe(500);
});

test('a clock that moves back neither fills nor freezes a bucket', () => {
  const rate = { perSecond: 1, burst: 1 };
  const bucket = fullBucket(rate, 1_000_000);
  expect(takeToken(bucket, rate, 1_000_000)).toBe(0);
  expect(takeToken(bucket, rate, 0)).toBe(1);
  expect(takeToken(bucket, rate, 1_000)).toBe(0);
});

test('the stated wait is sufficient, at least one second and never too long', () => {
  const seed = proofSeed();
  const perSecond = fc.oneof(
    fc.double({ min: 1 / 120, max: 1, noNaN: true }),
    fc.double({ min: 1, max: 10_000, noNaN: true }),
  );
  const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(perSecond, fc.integer({ min: 1, max: 30 }), gaps, (rateOf, burst, pauses) => {
      const rate = { perSecond: rateOf, burst };
      let now = 1_795_000_000_000;
      const bucket = fullBucket(rate, now);
      for (const pause of pauses) {
        now += pause;
        const waitSeconds = takeToken(bucket, rate, now);
        if (waitSeconds === 0) continue;
        expect(Number.isInteger(waitSeconds)).toBe(true);
        expect(waitSeconds).toBeGreaterThanOrEqual(1);
        expect(waitSeconds).toBeLessThanOrEqual(120);
        const sooner = now + (waitSeconds - 1) * 1_000;
        if (waitSeconds > 1) expect(takeToken({ ...bucket }, rate, sooner)).toBeGreaterThan(0);
        expect(takeToken({ ...bucket }, rate, now + waitSeconds * 1_000)).toBe(0);
      }
    }),
    { seed, numRuns: 3_000 },
  );
});
