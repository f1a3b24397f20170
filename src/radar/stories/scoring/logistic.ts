// The logistic decision: features times weights, as log-odds or a probability.
import { Fault } from '../../../kernel/errors/fault.ts';

/** Weights by name as a list in the features' order; a feature without a weight counts nothing. */
export function weightList(
  names: readonly string[],
  weights: Readonly<Record<string, number>>,
): Float64Array {
  const unknown = Object.keys(weights).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Fault('invalid_request', `editorial/stories/weights.json: unknown ${unknown}`);
  }
  return Float64Array.from(names, (name) => weights[name] ?? 0);
}

export function logOdds(weights: Float64Array, features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (features[at] ?? 0);
  return sum;
}

export const probability = (odds: number): number => 1 / (1 + Math.exp(-odds));
