import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeOne } from './gcra.ts';

const rate = { perSecond: 50, burst: 1000 };

/** Takes one at each instant and returns the results. */
function takeAt(instants: readonly number[], by = rate) {
  let arrivesAt: number | null = null;
  return instants.map((now) => {
    const result = takeOne(by, arrivesAt, now);
    arrivesAt = result.arrivesAt;
    return result;
  });
}

describe('after a pause', () => {
  test('admits exactly the burst at once and counts down', () => {
    const results = takeAt(Array(1001).fill(5_000));
    expect(results.filter(({ isAllowed }) => isAllowed)).toHaveLength(1000);
    expect(results.map(({ remaining }) => remaining).slice(0, 2)).toEqual([999, 998]);
    expect(results.at(-2)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(results.at(-1)).toMatchObject({ isAllowed: false, waitMs: 20 });
  });
});

test('admits after the stated wait, and not a millisecond earlier', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 2_000, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      (perSecond, burst) => {
        const by = { perSecond, burst };
        const results = takeAt(Array(burst + 1).fill(1e12), by);
        const last = results.at(-1);
        if (last === undefined || last.isAllowed) throw new Error('the burst is no limit');
        const isAllowedAt = (ms: number) => takeOne(by, last.arrivesAt, 1e12 + ms).isAllowed;
        expect(isAllowedAt(Math.ceil(last.waitMs))).toBe(true);
        if (last.waitMs > 1.01) expect(isAllowedAt(last.waitMs - 1)).toBe(false);
      },
    ),
    { seed: 42 },
  );
});

test('admits no more than the rate over time, for any pattern', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { minLength: 50, maxLength: 400 }), (gaps) => {
      let now = 0;
      const instants = gaps.map((gap) => {
        now += gap;
        return now;
      });
      const results = takeAt(instants, { perSecond: 10, burst: 5 });
      const allowed = results.filter(({ isAllowed }) => isAllowed).length;
      const first = instants[0] ?? 0;
      expect(allowed).toBeLessThanOrEqual(5 + Math.floor((now - first) / 100 + 1e-6));
    }),
    { seed: 42 },
  );
});

test('a clock that moves back costs a key at most its burst', () => {
  const [first] = takeAt([10_000_000]);
  const result = takeOne(rate, first?.arrivesAt ?? null, 0);
  expect(result.waitMs).toBeLessThanOrEqual(20);
});
