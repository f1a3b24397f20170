// A large story often owns a word: most of its titles contain the word, and most titles with the
// word belong to the story. Titles about such an event may share nothing else ("We're saying
// goodbye to Sora", "OpenAI closes its app Sora"). Their average link is then too low. A small
// story joins the large one when each title of the small story contains an owned word.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { TermIndex } from '../index/term-index.ts';

type Cluster = { readonly members: readonly number[] };

/** Minimum size of a story that owns words; a smaller one would own words by chance. */
const fewestReports = 8;
/** Maximum size of a joining story; larger ones are compared by their average link alone. */
const maxJoining = 3;
/**
 * Minimum share of the story's titles that contain the word. It is also the minimum share of this
 * story among the titles with the word, without the titles of the joining story.
 */
const minShare = 2 / 3;
/** Maximum share of running words: common words ("acquires", "chat") identify no event. */
const greatestShare = 2e-5;
/** Maximum distance of a joining report from the median time of the large story. */
const withinDays = 2;

/**
 * Small clusters, smallest first. `owner` is a report of the large cluster; each title of the small
 * cluster contains a word that the large cluster owns.
 */
export function matchSubjects<C extends Cluster>(
  index: TermIndex,
  clusters: readonly C[],
): readonly { readonly small: C; readonly owner: number }[] {
  const titles = countTerms(
    index,
    clusters.flatMap(({ members }) => members),
  );
  const owners = findOwners(index, clusters, titles);
  const ownerOf = (slot: number, joining: number): C | undefined =>
    [...index.terms(slot, 'title')]
      .flatMap((term) => {
        const owner = owners.get(term);
        const otherTitles = (titles.get(term) ?? 0) - joining;
        return owner !== undefined && owner.titles >= minShare * otherTitles ? [owner.cluster] : [];
      })
      .find((cluster) => isNear(index, slot, cluster));
  return clusters
    .filter(({ members }) => members.length > 0 && members.length <= maxJoining)
    .sort((a, b) => a.members.length - b.members.length)
    .flatMap((small) => {
      const [large, ...otherClusters] = small.members.map((slot) =>
        ownerOf(slot, small.members.length),
      );
      const [owner] = large?.members ?? [];
      const hasOneOwner = otherClusters.every((other) => other === large);
      return owner !== undefined && hasOneOwner ? [{ small, owner }] : [];
    });
}

type Owner<C> = { readonly cluster: C; readonly titles: number };

/** The large cluster to which most titles with a word belong, and the number of these titles. */
function findOwners<C extends Cluster>(
  index: TermIndex,
  clusters: readonly C[],
  titles: ReadonlyMap<number, number>,
): ReadonlyMap<number, Owner<C>> {
  const owners = new Map<number, Owner<C>>();
  for (const cluster of clusters) {
    if (cluster.members.length < fewestReports) continue;
    for (const [term, count] of countTerms(index, cluster.members)) {
      const isTypical = count >= minShare * cluster.members.length;
      const isOwned = count > (titles.get(term) ?? 0) / 2;
      const isRare = index.backgroundShare(term) <= greatestShare;
      if (isTypical && isOwned && isRare) owners.set(term, { cluster, titles: count });
    }
  }
  return owners;
}

/** The number of titles with each word. */
function countTerms(index: TermIndex, members: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const slot of members) {
    for (const term of index.terms(slot, 'title')) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** Whether the report is near the cluster in time. True for items without a time. */
function isNear(index: TermIndex, slot: number, { members }: Cluster): boolean {
  const { timeMs } = index.facts;
  const atMs = timeMs(slot);
  const times = members.flatMap((member) => timeMs(member) ?? []).sort((a, b) => a - b);
  const median = times[times.length >> 1];
  return atMs === null || median === undefined || Math.abs(atMs - median) <= withinDays * DAY_MS;
}
