// Compares an assignment of items to stories with the true events: BCubed and pairwise precision,
// recall and F1, and the purity of the largest story.

export type Rate = { readonly precision: number; readonly recall: number; readonly f1: number };
export type Score = {
  readonly bcubed: Rate;
  readonly pairwise: Rate;
  readonly stories: number;
  readonly largest: { readonly size: number; readonly purity: number };
};

type Row = { readonly cluster: string; readonly story: string };

export function scoreAssignment(rows: readonly Row[]): Score {
  const byCluster = countBy(rows, (row) => row.cluster);
  const byStory = countBy(rows, (row) => row.story);
  const sharedCounts = countBy(rows, (row) => JSON.stringify([row.cluster, row.story]));
  let [precision, recall] = [0, 0];
  for (const row of rows) {
    const shared = sharedCounts.get(JSON.stringify([row.cluster, row.story])) ?? 0;
    precision += shared / (byStory.get(row.story) ?? 1) / rows.length;
    recall += shared / (byCluster.get(row.cluster) ?? 1) / rows.length;
  }
  const sharedPairs = countPairs(sharedCounts);
  const [size, largestStory] = [...byStory].reduce(
    (largestSoFar, [story, count]) => (count > largestSoFar[0] ? [count, story] : largestSoFar),
    [0, ''] as [number, string],
  );
  const largestOverlap = Math.max(
    0,
    ...[...byCluster.keys()].map(
      (cluster) => sharedCounts.get(JSON.stringify([cluster, largestStory])) ?? 0,
    ),
  );
  return {
    bcubed: toRate(precision, recall),
    pairwise: toRate(
      shareOf(sharedPairs, countPairs(byStory)),
      shareOf(sharedPairs, countPairs(byCluster)),
    ),
    stories: byStory.size,
    largest: { size, purity: size === 0 ? 1 : largestOverlap / size },
  };
}

function countBy(rows: readonly Row[], key: (row: Row) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return counts;
}

const countPairs = (counts: ReadonlyMap<string, number>) =>
  counts.values().reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
const shareOf = (part: number, total: number) => (total === 0 ? 1 : part / total);
const toRate = (precision: number, recall: number): Rate => ({
  precision,
  recall,
  f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
});
