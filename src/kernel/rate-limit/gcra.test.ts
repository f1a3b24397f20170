import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeOne, takeSeveral } from './gcra.ts';

const rate = { perSecond: 50, burst: 1000 };

/** Makes one request at each instant and returns the results. */
function takeAt(instants: readonly number[], testRate = rate) {
  let arrivesAt: number | null = null;
  return instants.map((now) => {
    const result = takeOne(testRate, arrivesAt, now);
    arrivesAt = result.arrivesAt;
    return result;
  });
}

describe('after a pause', () => {
  test('admits exactly the burst at once, and reports the remaining requests', () => {
    const results = takeAt(Array(1001).fill(5_000));
    expect(results.filter(({ isAllowed }) => isAllowed)).toHaveLength(1000);
    expect(results.map(({ remaining }) => remaining).slice(0, 2)).toEqual([999, 998]);
    expect(results.at(-2)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(results.at(-1)).toMatchObject({ isAllowed: false, waitMs: 20 });
  });
});

test('admits a request after the stated wait, but not a millisecond earlier', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 2_000, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      (perSecond, burst) => {
        const rate = { perSecond, burst };
        const results = takeAt(Array(burst + 1).fill(1e12), rate);
        const lastResult = results.at(-1);
        if (lastResult === undefined || lastResult.isAllowed)
          throw new Error('the burst is no limit');
        const isAllowedAt = (ms: number) =>
          takeOne(rate, lastResult.arrivesAt, 1e12 + ms).isAllowed;
        expect(isAllowedAt(Math.ceil(lastResult.waitMs))).toBe(true);
        if (lastResult.waitMs > 1.01) expect(isAllowedAt(lastResult.waitMs - 1)).toBe(false);
      },
    ),
    { seed: 42 },
  );
});

test('never admits more than the rate permits, for any pattern of requests', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { minLength: 50, maxLength: 400 }), (gaps) => {
      let now = 0;
      const instants = gaps.map((gap) => {
        now += gap;
        return now;
      });
      const results = takeAt(instants, { perSecond: 10, burst: 5 });
      const allowedCount = results.filter(({ isAllowed }) => isAllowed).length;
      const first = instants[0] ?? 0;
      expect(allowedCount).toBeLessThanOrEqual(5 + Math.floor((now - first) / 100 + 1e-6));
    }),
    { seed: 42 },
  );
});

test('after the clock is set back, a key waits at most one interval', () => {
  const [firstState] = takeAt([10_000_000]);
  const result = takeOne(rate, firstState?.arrivesAt ?? null, 0);
  expect(result.waitMs).toBeLessThanOrEqual(20);
});

test('takes several requests exactly when as many single requests would be allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20 }), (count, used) => {
      const rate = { perSecond: 10, burst: 20 };
      const before =
        used === 0 ? null : (takeAt(Array(used).fill(1e12), rate).at(-1)?.arrivesAt ?? 0);
      const result = takeSeveral(rate, { count, arrivesAt: before, now: 1e12 });
      expect(result.isAllowed).toBe(used + count <= rate.burst);
      const singles = takeAt(Array(used + count).fill(1e12), rate);
      if (result.isAllowed) expect(result.remaining).toBe(singles.at(-1)?.remaining);
      else expect(result.waitMs).toBeCloseTo((used + count - rate.burst) * 100, 3);
    }),
  );
});
