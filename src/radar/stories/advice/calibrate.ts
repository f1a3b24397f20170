// Measures how similar unrelated texts are for one embedding model, because a cosine of .7 is high
// for one model and meaningless for another. Two texts in different scripts are less similar than
// two in one script, so both kinds of pairs are measured separately.
import type { StoredCalibration } from '../../../store/schema/model.ts';
import { product } from './live-vectors.ts';

export type CalibrationSample = { readonly vector: Float32Array; readonly isHan: boolean };

/** With fewer texts there is no calibration. */
export const minSamples = 60;
const maxPairs = 4_000;
const minPairs = 50;
/** Share of the most similar pairs that is excluded: nearly all other pairs are unrelated. */
const cutShare = 0.02;

/** Null: too few texts. The steps are fixed, so equal texts give equal pairs. */
export function calibrate(samples: readonly CalibrationSample[]): StoredCalibration | null {
  if (samples.length < minSamples) return null;
  const [within, across]: [number[], number[]] = [[], []];
  for (let gap = 1; within.length + across.length < maxPairs && gap < samples.length; gap += 7) {
    for (let index = 0; index + gap < samples.length; index += 3) {
      const [a, b] = [samples[index], samples[index + gap]];
      if (a === undefined || b === undefined) continue;
      (a.isHan === b.isHan ? within : across).push(product(a.vector, b.vector));
    }
  }
  return {
    within: spreadOf(within),
    across: spreadOf(across.length < minPairs ? within : across),
  };
}

function spreadOf(cosines: readonly number[]): StoredCalibration['within'] {
  const sorted = cosines.toSorted((a, b) => a - b);
  const samples = sorted.slice(0, Math.max(1, Math.ceil(sorted.length * (1 - cutShare))));
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const variance = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples.length;
  return { mean, deviation: Math.max(Math.sqrt(variance), 0.01), pairs: cosines.length };
}

/** Standard deviations above the similarity of unrelated texts. */
export function standardScore(
  calibration: StoredCalibration,
  cosine: number,
  isAcross: boolean,
): number {
  const { mean, deviation } = isAcross ? calibration.across : calibration.within;
  return (cosine - mean) / deviation;
}

/** Minimum score of a neighbour that is found by its vector. */
export const minStandardScore = 3;
/** A similarity with this score adds no log-odds. */
const neutralScore = 5;
/** Log-odds for each deviation above `neutralScore`. */
const perDeviation = 0.35;
const maxAdded = 1.4;

/** The bounded log-odds, positive or negative, that a similarity adds. */
export function addedOdds(deviations: number): number {
  return Math.max(-maxAdded, Math.min(maxAdded, (deviations - neutralScore) * perDeviation));
}
