// Where somebody goes after signing in: nobody is sent away from the desk by an address.

/** `asked` when it is a path of that desk (`/admin`), query included; else the desk. */
export function deskPath(desk: string, asked: string | null): string {
  if (asked === null || !asked.startsWith(desk) || !/^($|[/?])/.test(asked.slice(desk.length))) {
    return desk;
  }
  return /^(\/[\w\-.~%]*)+(\?[\w\-.=&%+]*)?$/.test(asked) ? asked : desk;
}
