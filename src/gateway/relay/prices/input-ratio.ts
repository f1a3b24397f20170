// Measures tokens per byte of requests, by model: the 99.9th percentile of the model's last 10,000
// calls, so that holds follow measured usage. Relay contract, 2.3.

const FIRST_RATIO = 0.75;
const MIN_RATIO = 0.35;
/** Byte-level vocabularies cannot exceed one token per byte. */
const MAX_RATIO = 1;
const MAX_SAMPLES = 10_000;
const PERCENTILE = 0.999;
/** With fewer calls, the 99.9th percentile is not reliable. */
const MIN_CALLS = 1_000;
/** Number of calls after which a ratio is calculated again. */
const RECALCULATION_CALLS = 500;
const MAX_MODELS = 1_000;

export type InputRatios = {
  ratioOf(model: string): number;
  record(model: string, call: { readonly bytes: number; readonly tokens: number }): void;
};

type Samples = { readonly values: Float64Array; count: number; ratio: number };

export function openInputRatios(): InputRatios {
  const models = new Map<string, Samples>();
  return {
    ratioOf: (model) => models.get(model)?.ratio ?? FIRST_RATIO,
    record: (model, { bytes, tokens }) => {
      if (bytes <= 0) return;
      if (!models.has(model) && models.size >= MAX_MODELS) return;
      const samples = models.get(model) ?? {
        values: new Float64Array(MAX_SAMPLES),
        count: 0,
        ratio: FIRST_RATIO,
      };
      models.set(model, samples);
      samples.values[samples.count % MAX_SAMPLES] = tokens / bytes;
      samples.count += 1;
      if (samples.count >= MIN_CALLS && samples.count % RECALCULATION_CALLS === 0) {
        samples.ratio = percentileOf(
          samples.values.subarray(0, Math.min(samples.count, MAX_SAMPLES)),
        );
      }
    },
  };
}

/** Returns the percentile of the values, at least `MIN_RATIO` and at most `MAX_RATIO`. */
export function percentileOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * PERCENTILE) - 1);
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, sorted[index] ?? FIRST_RATIO));
}
