// Chooses the path to open after signing in. It always belongs to the operator area.

/**
 * Returns `requested`, with its query, when it is a path within the area (`/admin`); otherwise the
 * area's path.
 */
export function toReturnPath(area: string, requested: string | null): string {
  if (
    requested === null ||
    !requested.startsWith(area) ||
    !/^($|[/?])/.test(requested.slice(area.length))
  ) {
    return area;
  }
  // Only plain characters of paths and queries, so that browsers cannot read another address.
  return /^(\/[\w\-.~%]*)+(\?[\w\-.=&%+]*)?$/.test(requested) ? requested : area;
}
