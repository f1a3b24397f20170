// Runs an asynchronous function for each element of a list, a few at a time.

/**
 * Runs `work` in groups of `size` elements and returns the results in order. When `canContinue`
 * returns false, no further group starts, and the remaining elements have no result.
 */
export async function mapInParts<T, R>(
  all: readonly T[],
  size: number,
  work: (one: T) => Promise<R>,
  canContinue: () => boolean = () => true,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length && canContinue(); from += size) {
    results.push(...(await Promise.all(all.slice(from, from + size).map(work))));
  }
  return results;
}
