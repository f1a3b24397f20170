// Two readings make one score: their mean, at most so far from the built-in one. However well a
// text talks a model into a number, it moves no further than that. Pure.

export type Weighed = {
  /** Whole, 0..100. */
  readonly score: number;
  readonly isApart: boolean;
};

/** `readings`: null where none came. Without any the built-in score stands. */
export function weighScores(
  builtIn: number,
  readings: readonly (number | null)[],
  { reach, apart }: { readonly reach: number; readonly apart: number },
): Weighed {
  const given = readings.filter((reading) => reading !== null);
  if (given.length === 0) return { score: builtIn, isApart: false };
  // The built-in score stands in for a reading that did not come.
  const all = readings.map((reading) => reading ?? builtIn);
  const mean = all.reduce((sum, reading) => sum + reading, 0) / all.length;
  const low = Math.max(0, builtIn - reach);
  const high = Math.min(100, builtIn + reach);
  return {
    score: Math.round(Math.min(high, Math.max(low, mean))),
    isApart: given.length > 1 && Math.max(...given) - Math.min(...given) >= apart,
  };
}
