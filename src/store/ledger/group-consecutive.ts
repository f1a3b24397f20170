// Groups consecutive equal rows of a batch, so that their shared values are sent once.

/** The first row of each group, and the number of its group for each row; the first one is 1. */
export function groupConsecutive<T>(
  rows: readonly T[],
  isAlike: (first: T, row: T) => boolean,
): { readonly firstRows: readonly T[]; readonly groupNumbers: readonly number[] } {
  const firstRows: T[] = [];
  const groupNumbers = rows.map((row) => {
    const last = firstRows.at(-1);
    return last !== undefined && isAlike(last, row) ? firstRows.length : firstRows.push(row);
  });
  return { firstRows, groupNumbers };
}
