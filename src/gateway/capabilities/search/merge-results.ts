// Merges results of several engines by reciprocal rank: each engine adds 1 / (60 + rank) to an
// address. Source of the formula and of the 60: Cormack, Clarke and Büttcher, SIGIR 2009.
import { canonicalUrl } from '../../../kernel/url/url.ts';
import type { SearchResult } from './search-provider.ts';

const smoothing = 60;

/**
 * Best first. When several engines return an address, title and text come from the first configured
 * engine.
 */
export function mergeResults(lists: readonly (readonly SearchResult[])[]): SearchResult[] {
  const rankedResults = new Map<string, { readonly result: SearchResult; score: number }>();
  for (const list of lists) {
    const addedUrls = new Set<string>();
    for (const [index, result] of list.entries()) {
      const key = canonicalUrl(result.url) ?? result.url;
      // A repeated address of one engine counts once.
      if (addedUrls.has(key)) continue;
      addedUrls.add(key);
      const score = 1 / (smoothing + index + 1);
      const existing = rankedResults.get(key);
      if (existing) existing.score += score;
      else rankedResults.set(key, { result, score });
    }
  }
  return [...rankedResults.values()].sort((a, b) => b.score - a.score).map(({ result }) => result);
}
