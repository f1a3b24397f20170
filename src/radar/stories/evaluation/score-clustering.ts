// Scores the agreement of stories with events that a person labelled. The pairwise score counts
// pairs of items that belong together. BCubed weights each item equally, so large events do not
// dominate.

type StoryScores = {
  readonly stories: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The share of pairs that are correctly together or correctly separate. */
  readonly accuracy: number;
  readonly bcubed: number;
};

type LabelledRow = { readonly story: string; readonly cluster: string };

/** The caller leaves out items without a label. */
export function scoreAssigned(items: readonly LabelledRow[]): StoryScores {
  const stories = countOf(items, ({ story }) => story);
  const clusters = countOf(items, ({ cluster }) => cluster);
  const both = countOf(items, keyOf);
  const [assignedPairs, labelledPairs, correctPairs, allPairs] = [
    pairsIn(stories.values()),
    pairsIn(clusters.values()),
    pairsIn(both.values()),
    pairsIn([items.length]),
  ];
  const share = (sizes: ReadonlyMap<string, number>, keyOfRow: (one: LabelledRow) => string) => {
    const sum = items.reduce(
      (total, item) => total + (both.get(keyOf(item)) ?? 0) / (sizes.get(keyOfRow(item)) ?? 1),
      0,
    );
    return sum / Math.max(1, items.length);
  };
  const precision = assignedPairs === 0 ? 1 : correctPairs / assignedPairs;
  const recall = labelledPairs === 0 ? 1 : correctPairs / labelledPairs;
  return {
    stories: stories.size,
    precision,
    recall,
    f1: harmonicMean(precision, recall),
    accuracy:
      allPairs === 0 ? 1 : (allPairs - assignedPairs - labelledPairs + 2 * correctPairs) / allPairs,
    bcubed: harmonicMean(
      share(stories, ({ story }) => story),
      share(clusters, ({ cluster }) => cluster),
    ),
  };
}

const keyOf = ({ story, cluster }: LabelledRow) => JSON.stringify([story, cluster]);

function countOf(items: readonly LabelledRow[], keyOfRow: (one: LabelledRow) => string) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOfRow(item), (counts.get(keyOfRow(item)) ?? 0) + 1);
  return counts;
}

function pairsIn(sizes: Iterable<number>): number {
  let pairs = 0;
  for (const size of sizes) pairs += (size * (size - 1)) / 2;
  return pairs;
}

const harmonicMean = (a: number, b: number) => (a + b === 0 ? 0 : (2 * a * b) / (a + b));
