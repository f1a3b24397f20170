// The path to open after signing in. It never leaves the operator area.

/**
 * `requested` when it is a path within the area (`/admin`), query included; otherwise the area.
 */
export function deskPath(desk: string, asked: string | null): string {
  if (asked === null || !asked.startsWith(desk) || !/^($|[/?])/.test(asked.slice(desk.length))) {
    return desk;
  }
  return /^(\/[\w\-.~%]*)+(\?[\w\-.=&%+]*)?$/.test(asked) ? asked : desk;
}
