// Combines two model scores into their mean. The distance of the result from the rule-based score
// is limited, which also limits the influence of injected text.

export type CombinedScore = {
  /** An integer from 0 to 100. */
  readonly score: number;
  readonly isUncertain: boolean;
};

/** `modelScores` has null for a missing reply. Without any reply the rule-based score is used. */
export function combineScores(
  ruleBasedScore: number,
  modelScores: readonly (number | null)[],
  { reach, apart: uncertainDifference }: { readonly reach: number; readonly apart: number },
): CombinedScore {
  const receivedScores = modelScores.filter((modelScore) => modelScore !== null);
  if (receivedScores.length === 0) return { score: ruleBasedScore, isUncertain: false };
  // The rule-based score replaces a missing reply.
  const scores = modelScores.map((modelScore) => modelScore ?? ruleBasedScore);
  const mean = scores.reduce((sum, modelScore) => sum + modelScore, 0) / scores.length;
  const lowest = Math.max(0, ruleBasedScore - reach);
  const highest = Math.min(100, ruleBasedScore + reach);
  return {
    score: Math.round(Math.min(highest, Math.max(lowest, mean))),
    isUncertain:
      receivedScores.length > 1 &&
      Math.max(...receivedScores) - Math.min(...receivedScores) >= uncertainDifference,
  };
}
