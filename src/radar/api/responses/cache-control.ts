// Cache lifetimes by kind of response (feed contract, "Caching"). For mutable content, max-age and
// stale-while-revalidate add up to at most six minutes. A client's cache can therefore show a
// withdrawn item for at most six minutes.

export const cacheControl = {
  items: 'public, max-age=60, s-maxage=60, stale-while-revalidate=300',
  live: 'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
  reports: 'public, max-age=300, s-maxage=300, stale-while-revalidate=60',
  snapshot: 'public, no-cache, s-maxage=300',
  moved: 'public, max-age=60, s-maxage=60',
  never: 'no-store',
} as const;
