// What the sum of weights cannot say ("alike in words, but days apart"): small trees of three
// questions each, learned on top of it. Every tree adds a little to the log-odds.
import { Fault } from '../../../kernel/errors/fault.ts';

/** Question n has its answers' questions at 2n+1 (no: at most the bound) and 2n+2 (yes). */
export type Tree = {
  /** Seven features by name. */
  readonly on: string[];
  /** Seven bounds. */
  readonly at: number[];
  /** What each of the eight ends adds. */
  readonly adds: number[];
};

const questions = 7;
const ends = 8;

/** The sum over all trees, for features in the order of `names`. */
export function openTrees(
  names: readonly string[],
  trees: readonly Tree[],
): (features: Float64Array) => number {
  const on = Uint16Array.from(
    trees.flatMap((tree) => tree.on),
    (name) => {
      const index = names.indexOf(name);
      if (index >= 0) return index;
      throw new Fault('invalid_request', `editorial/stories/weights.json: unknown ${name}`);
    },
  );
  const at = Float64Array.from(trees.flatMap((tree) => tree.at));
  const adds = Float64Array.from(trees.flatMap((tree) => tree.adds));
  return (features) => {
    let sum = 0;
    for (let tree = 0; tree < trees.length; tree += 1) {
      const base = tree * questions;
      let node = 0;
      while (node < questions) {
        const value = features[on[base + node] ?? 0] ?? 0;
        node = value > (at[base + node] ?? 0) ? node * 2 + 2 : node * 2 + 1;
      }
      sum += adds[tree * ends + node - questions] ?? 0;
    }
    return sum;
  };
}
