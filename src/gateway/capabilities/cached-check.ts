// Caches the result of a check that starts programs. A success is cached permanently, a failure for
// half a minute, so that a later installation is noticed.
import type { World } from '../../kernel/world.ts';

const recheckAfterMs = 30_000;

/** `check` returns null for a success; otherwise a description of what is missing. */
export function cachedCheck(
  { clock }: Pick<World, 'clock'>,
  check: () => Promise<string | null>,
): () => Promise<string | null> {
  let cached: { readonly missing: Promise<string | null>; readonly at: number } | null = null;
  let hasSucceeded = false;
  return async () => {
    if (hasSucceeded) return null;
    if (cached === null || clock.now() - cached.at > recheckAfterMs) {
      cached = { missing: check(), at: clock.now() };
    }
    const missing = await cached.missing;
    hasSucceeded = missing === null;
    return missing;
  };
}
