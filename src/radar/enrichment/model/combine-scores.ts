// Pure: combines two model scores into their mean, limited to a maximum distance from the
// rule-based score. An injected text cannot move the score further.

export type CombinedScore = {
  /** An integer from 0 to 100. */
  readonly score: number;
  readonly isUncertain: boolean;
};

/** `readings` has null for a missing reply. Without any reply the rule-based score is used. */
export function combineScores(
  builtIn: number,
  readings: readonly (number | null)[],
  { reach, apart: maxDifference }: { readonly reach: number; readonly apart: number },
): CombinedScore {
  const scored = readings.filter((reading) => reading !== null);
  if (scored.length === 0) return { score: builtIn, isUncertain: false };
  // The rule-based score replaces a missing reply.
  const all = readings.map((reading) => reading ?? builtIn);
  const mean = all.reduce((sum, reading) => sum + reading, 0) / all.length;
  const low = Math.max(0, builtIn - reach);
  const high = Math.min(100, builtIn + reach);
  return {
    score: Math.round(Math.min(high, Math.max(low, mean))),
    isUncertain: scored.length > 1 && Math.max(...scored) - Math.min(...scored) >= maxDifference,
  };
}
