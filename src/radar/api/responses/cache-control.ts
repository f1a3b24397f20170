// How long each kind of answer may be kept: the feed contract's table, "Caching". On everything
// mutable max-age and stale-while-revalidate add up to six minutes at most: that is how long a
// reader's own cache may keep what was withdrawn.

export const cacheControl = {
  items: 'public, max-age=60, s-maxage=60, stale-while-revalidate=300',
  live: 'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
  reports: 'public, max-age=300, s-maxage=300, stale-while-revalidate=60',
  snapshot: 'public, no-cache, s-maxage=300',
  moved: 'public, max-age=60, s-maxage=60',
  never: 'no-store',
} as const;
