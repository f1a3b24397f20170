// Gradient boosting on top of given log-odds: trees of three questions by histograms of 32 steps.
// Small, and the same every time.
import type { Tree } from '../src/radar/stories/scoring/boosted-trees.ts';
import type { Example } from './fit-logistic.ts';

export type BoostSettings = {
  readonly trees: number;
  /** The share of each tree's step that is taken. */
  readonly rate: number;
  /** No end of a tree stands on less than this weight of examples. */
  readonly leastWeight: number;
  readonly ridge: number;
};

const bins = 32;

/** `given` is each example's log-odds so far; only the features in `allowed` are asked for. */
export function fitTrees(
  examples: readonly Example[],
  names: readonly string[],
  allowed: readonly number[],
  given: Float64Array,
  settings: BoostSettings,
): Tree[] {
  const odds = Float64Array.from(given);
  const bounds = allowed.map((feature) => boundsOf(examples, feature));
  const steps = allowed.map((feature, column) =>
    Uint8Array.from(examples, ({ features }) =>
      stepOf(bounds[column] ?? [], features[feature] ?? 0),
    ),
  );
  const node = new Uint8Array(examples.length);
  const gradient = new Float64Array(examples.length);
  const curve = new Float64Array(examples.length);
  return Array.from({ length: settings.trees }, () => {
    examples.forEach(({ isTrue, weight }, row) => {
      const p = 1 / (1 + Math.exp(-(odds[row] ?? 0)));
      gradient[row] = weight * ((isTrue ? 1 : 0) - p);
      curve[row] = weight * Math.max(p * (1 - p), 1e-6);
      node[row] = 0;
    });
    const tree = { on: [] as string[], at: [] as number[], adds: [] as number[] };
    for (let level = 0; level < 3; level += 1) {
      const first = 2 ** level - 1;
      const best = bestQuestions(steps, node, gradient, curve, first, settings);
      best.forEach(({ column, bin }, at) => {
        tree.on[first + at] = names[allowed[column] ?? 0] ?? '';
        tree.at[first + at] = bounds[column]?.[bin] ?? Number.MAX_VALUE;
      });
      for (let row = 0; row < examples.length; row += 1) {
        const { column, bin } = best[(node[row] ?? 0) - first] ?? { column: 0, bin: bins };
        const isMore = (steps[column]?.[row] ?? 0) > bin;
        node[row] = (node[row] ?? 0) * 2 + (isMore ? 2 : 1);
      }
    }
    const sums = Array.from({ length: 8 }, () => ({ gradient: 0, curve: 0 }));
    for (let row = 0; row < examples.length; row += 1) {
      const sum = sums[(node[row] ?? 0) - 7];
      if (sum === undefined) continue;
      sum.gradient += gradient[row] ?? 0;
      sum.curve += curve[row] ?? 0;
    }
    tree.adds = sums.map((sum) =>
      Number(((settings.rate * sum.gradient) / (sum.curve + settings.ridge)).toFixed(4)),
    );
    for (let row = 0; row < examples.length; row += 1) {
      odds[row] = (odds[row] ?? 0) + (tree.adds[(node[row] ?? 0) - 7] ?? 0);
    }
    return tree;
  });
}

/** Up to 31 bounds between values, at even shares of the examples. */
function boundsOf(examples: readonly Example[], feature: number): readonly number[] {
  const step = Math.max(1, Math.floor(examples.length / 20_000));
  const values = examples
    .filter((_, row) => row % step === 0)
    .map(({ features }) => features[feature] ?? 0)
    .sort((a, b) => a - b);
  const distinct = [...new Set(values)];
  const from = distinct.length < bins ? distinct : evenly(values);
  return from.slice(0, -1).map((value, at) => round((value + (from[at + 1] ?? value)) / 2));
}

function evenly(values: readonly number[]): readonly number[] {
  // Most pairs share nothing: the steps are spent on the values above the least.
  const least = values[0] ?? 0;
  const rest = values.filter((value) => value > least);
  const picked = Array.from(
    { length: bins - 1 },
    (_, at) => rest[Math.floor((at * (rest.length - 1)) / (bins - 2))] ?? least,
  );
  return [...new Set([least, ...picked])];
}

const round = (value: number) => Number(value.toFixed(5));

function stepOf(bounds: readonly number[], value: number): number {
  let step = 0;
  while (step < bounds.length && value > (bounds[step] ?? 0)) step += 1;
  return step;
}

type Question = { readonly column: number; readonly bin: number };

/** For every node of a level, the question that gains most; else one that divides nothing. */
function bestQuestions(
  steps: readonly Uint8Array[],
  node: Uint8Array,
  gradient: Float64Array,
  curve: Float64Array,
  first: number,
  settings: BoostSettings,
): readonly Question[] {
  const nodes = first + 1;
  const best = Array.from({ length: nodes }, () => ({ column: 0, bin: bins, gain: 1e-9 }));
  const sums = new Float64Array(nodes * bins);
  const curves = new Float64Array(nodes * bins);
  steps.forEach((values, column) => {
    sums.fill(0);
    curves.fill(0);
    for (let row = 0; row < values.length; row += 1) {
      const at = ((node[row] ?? 0) - first) * bins + (values[row] ?? 0);
      sums[at] = (sums[at] ?? 0) + (gradient[row] ?? 0);
      curves[at] = (curves[at] ?? 0) + (curve[row] ?? 0);
    }
    for (let at = 0; at < nodes; at += 1) {
      const from = at * bins;
      const found = divide(
        sums.subarray(from, from + bins),
        curves.subarray(from, from + bins),
        settings,
      );
      const known = best[at];
      if (known !== undefined && found.gain > known.gain) best[at] = { column, ...found };
    }
  });
  return best;
}

function divide(sums: Float64Array, curves: Float64Array, { ridge, leastWeight }: BoostSettings) {
  const [sum, curve] = [sums.reduce((a, b) => a + b, 0), curves.reduce((a, b) => a + b, 0)];
  const whole = sum ** 2 / (curve + ridge);
  const best = { bin: bins, gain: 0 };
  let [left, leftCurve] = [0, 0];
  for (let bin = 0; bin < bins - 1; bin += 1) {
    left += sums[bin] ?? 0;
    leftCurve += curves[bin] ?? 0;
    if (leftCurve < leastWeight || curve - leftCurve < leastWeight) continue;
    const right = (sum - left) ** 2 / (curve - leftCurve + ridge);
    const gain = left ** 2 / (leftCurve + ridge) + right - whole;
    if (gain > best.gain) [best.bin, best.gain] = [bin, gain];
  }
  return best;
}
