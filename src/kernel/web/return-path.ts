// The path to open after signing in. It never leaves the operator area.

/**
 * `requested` when it is a path within the area (`/admin`), query included; otherwise the area.
 */
export function returnPath(area: string, requested: string | null): string {
  if (
    requested === null ||
    !requested.startsWith(area) ||
    !/^($|[/?])/.test(requested.slice(area.length))
  ) {
    return area;
  }
  return /^(\/[\w\-.~%]*)+(\?[\w\-.=&%+]*)?$/.test(requested) ? requested : area;
}
