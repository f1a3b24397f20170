// Compares two versions by rounds. Each round measures both versions, one after the other. Slow
// changes of the machine therefore do not affect the ratio of a round.
import { type BenchRow, median } from '../row.ts';

export type Comparison = {
  readonly name: string;
  readonly unit: string;
  /** Whether a higher or a lower value is an improvement. */
  readonly better: 'more' | 'less';
  /** A value per round, in the same order. */
  readonly before: readonly number[];
  readonly after: readonly number[];
};

export type Verdict = 'better' | 'worse' | 'no difference seen' | 'too few rounds';

/** The verdict ignores smaller differences. */
const TOLERANCE = 0.05;
/** One or two rounds can have the same direction by accident. */
const ROUNDS_MIN = 3;

export type ComparisonResult = {
  /** Median over the rounds of the value after divided by the value before. */
  readonly ratio: number;
  /** Lowest and highest ratio of a round. */
  readonly low: number;
  readonly high: number;
  readonly verdict: Verdict;
};

/** A difference counts when its median exceeds 5 % and all rounds have the same direction. */
export function compareRounds({ before, after, better }: Comparison): ComparisonResult {
  const ratios = before.flatMap((value, round) => {
    const afterValue = after[round];
    return afterValue === undefined || value === 0 ? [] : [afterValue / value];
  });
  const ratio = median(ratios);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const isMore = low > 1 && ratio > 1 + TOLERANCE;
  const isLess = high < 1 && ratio < 1 - TOLERANCE;
  const isBetter = isMore === (better === 'more');
  const difference = isBetter ? 'better' : 'worse';
  const observed = isMore || isLess ? difference : 'no difference seen';
  return { ratio, low, high, verdict: ratios.length < ROUNDS_MIN ? 'too few rounds' : observed };
}

export function formatComparison(comparison: Comparison): BenchRow {
  const { name, unit, before, after } = comparison;
  const { ratio, low, high, verdict } = compareRounds(comparison);
  const rounds =
    before.length > 1
      ? `${before.length} rounds, ${low.toFixed(2)} to ${high.toFixed(2)}`
      : 'one round';
  return {
    name,
    value: ratio,
    unit: '×',
    note:
      `${verdict}; ${rounds}; before ${formatValue(median(before))}, ` +
      `after ${formatValue(median(after))} ` +
      unit,
  };
}

const formatValue = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** The order of the two versions in a round: each is first in every second round. */
export const alternatePair = <T>(round: number, pair: readonly [T, T]): readonly T[] =>
  round % 2 === 0 ? pair : pair.toReversed();
