// Groups consecutive equal rows of a batch, so that their shared values are sent once.

/** The first row of each group, and the number of its group for each row; the first one is 1. */
export function groupConsecutive<T>(
  rows: readonly T[],
  isAlike: (first: T, row: T) => boolean,
): { readonly leaders: readonly T[]; readonly places: readonly number[] } {
  const leaders: T[] = [];
  const places = rows.map((row) => {
    const last = leaders.at(-1);
    return last !== undefined && isAlike(last, row) ? leaders.length : leaders.push(row);
  });
  return { leaders, places };
}
