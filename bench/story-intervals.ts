// Computes bootstrap confidence intervals for the scores of a labelled set. Whole events are drawn
// with replacement, because the reports of one event are not independent.
import { seededRandom } from '../src/kernel/crypto/random.ts';

type Row = { readonly cluster: string; readonly story: string };

/** One event's contribution to the sums of BCubed and pairwise F1. */
type EventSums = {
  readonly items: number;
  readonly precision: number;
  readonly recall: number;
  /** Pairs of reports in the same event and in the same story. */
  readonly correctPairs: number;
  /** Pairs of reports in the same event. */
  readonly expectedPairs: number;
  /** Pairs in the stories of the event’s reports. */
  readonly storyPairs: number;
};

const sampleCount = 400;

/** The mean of both F1 scores for each bootstrap sample; equal seeds give equal samples. */
export function sampleScores(rows: readonly Row[], seed: number): readonly number[] {
  const events = sumsByEvent(rows);
  const random = seededRandom(seed);
  return Array.from({ length: sampleCount }, () => {
    const sums = {
      items: 0,
      precision: 0,
      recall: 0,
      correctPairs: 0,
      expectedPairs: 0,
      storyPairs: 0,
    };
    for (let index = 0; index < events.length; index += 1) {
      const event = events[Math.floor(random.next() * events.length)];
      if (event === undefined) continue;
      for (const key of [
        'items',
        'precision',
        'recall',
        'correctPairs',
        'expectedPairs',
        'storyPairs',
      ] as const) {
        sums[key] += event[key];
      }
    }
    const bcubed = harmonicMean(ratio(sums.precision, sums.items), ratio(sums.recall, sums.items));
    const pairwise = harmonicMean(
      ratio(sums.correctPairs, sums.storyPairs),
      ratio(sums.correctPairs, sums.expectedPairs),
    );
    return (bcubed + pairwise) / 2;
  });
}

/** The middle 95 % of the values. */
export function confidenceInterval(
  values: readonly number[],
): readonly [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return [quantile(0.025), quantile(0.975)];
}

function sumsByEvent(rows: readonly Row[]): readonly EventSums[] {
  const stories = Map.groupBy(rows, ({ story }) => story);
  return [...Map.groupBy(rows, ({ cluster }) => cluster).values()].map((event) => {
    let [precision, recall, correctPairs, storyPairs] = [0, 0, 0, 0];
    for (const [story, shared] of Map.groupBy(event, (row) => row.story)) {
      const size = stories.get(story)?.length ?? 1;
      precision += (shared.length * shared.length) / size;
      recall += (shared.length * shared.length) / event.length;
      correctPairs += countPairs(shared.length);
      storyPairs += (shared.length * (size - 1)) / 2;
    }
    const expectedPairs = countPairs(event.length);
    return { items: event.length, precision, recall, correctPairs, expectedPairs, storyPairs };
  });
}

const countPairs = (count: number) => (count * (count - 1)) / 2;
const ratio = (part: number, total: number) => (total === 0 ? 1 : part / total);
const harmonicMean = (a: number, b: number) => (a + b === 0 ? 0 : (2 * a * b) / (a + b));
