// Merges results of several engines by reciprocal rank: each engine adds 1 / (60 + rank) to an
// address. Source: Cormack, Clarke and Büttcher, SIGIR 2009, including the 60.
import { canonicalUrl } from '../../../kernel/url/url.ts';
import type { SearchResult } from './search-provider.ts';

const smoothing = 60;

/** Best first; where engines agree on an address, the words are those of the one named first. */
export function mergeResults(lists: readonly (readonly SearchResult[])[]): SearchResult[] {
  const found = new Map<string, { readonly result: SearchResult; score: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const [index, result] of list.entries()) {
      const key = canonicalUrl(result.url) ?? result.url;
      // An engine that lists an address twice means it once.
      if (seen.has(key)) continue;
      seen.add(key);
      const score = 1 / (smoothing + index + 1);
      const existing = found.get(key);
      if (existing) existing.score += score;
      else found.set(key, { result, score });
    }
  }
  return [...found.values()].sort((a, b) => b.score - a.score).map(({ result }) => result);
}
