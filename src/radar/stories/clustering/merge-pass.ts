// The merge pass joins stories of one event, the likeliest pair first, by average link (the mean
// over pairs of their items). No single pair decides, neither for nor against a merge.

export type MergeLinks<Story> = {
  /** Stories that may report the same event, from the index. */
  neighbours(story: Story): readonly Story[];
  /** Mean log-odds over pairs of items; −∞ when it is below the merge threshold. */
  link(a: Story, b: Story): number;
  /** Merges both and returns the survivor. */
  merge(a: Story, b: Story, odds: number): Story;
  /** False after a merge into another story. */
  hasReports(story: Story): boolean;
};

type Edge<Story> = { readonly a: Story; readonly b: Story; readonly odds: number };

/** Merges linked stories among `touched` and their neighbours until no link is left. */
export function mergePass<Story extends { readonly id: string }>(
  touched: readonly Story[],
  { neighbours, link, merge, hasReports }: MergeLinks<Story>,
): void {
  const neighboursOf = new Map<Story, Set<Story>>();
  const edges: Edge<Story>[] = [];
  const nearOf = (story: Story): Set<Story> => {
    const neighbours = neighboursOf.get(story) ?? new Set();
    neighboursOf.set(story, neighbours);
    return neighbours;
  };
  const connect = (a: Story, b: Story): void => {
    nearOf(a).add(b);
    nearOf(b).add(a);
    const odds = link(a, b);
    if (odds > Number.NEGATIVE_INFINITY) insert(edges, { a, b, odds });
  };
  for (const story of touched) {
    if (!hasReports(story)) continue;
    for (const other of neighbours(story)) {
      if (other !== story && !nearOf(story).has(other)) connect(story, other);
    }
  }
  for (let edge = edges.pop(); edge !== undefined; edge = edges.pop()) {
    const { a, b, odds } = edge;
    if (!hasReports(a) || !hasReports(b)) continue;
    const neighbours = new Set([...nearOf(a), ...nearOf(b)]);
    const survivor = merge(a, b, odds);
    // Links of both stories are invalid now and are computed again.
    for (let at = edges.length - 1; at >= 0; at -= 1) {
      const stale = edges[at];
      if (stale && [stale.a, stale.b].some((s) => s === a || s === b)) edges.splice(at, 1);
    }
    neighboursOf.set(survivor, new Set());
    for (const other of neighbours) {
      if (other !== survivor && hasReports(other)) connect(survivor, other);
    }
  }
}

/** Keeps the edges sorted, likeliest last; equally likely edges by story id. */
function insert<Story extends { readonly id: string }>(edges: Edge<Story>[], edge: Edge<Story>) {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = edges[middle];
    if (other !== undefined && isBefore(other, edge)) low = middle + 1;
    else high = middle;
  }
  edges.splice(low, 0, edge);
}

function isBefore<Story extends { readonly id: string }>(a: Edge<Story>, b: Edge<Story>): boolean {
  if (a.odds !== b.odds) return a.odds < b.odds;
  const [left, right] = [`${a.a.id} ${a.b.id}`, `${b.a.id} ${b.b.id}`];
  return left > right;
}
