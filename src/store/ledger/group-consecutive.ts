// Groups consecutive equal rows of a batch, so that their shared values are sent once.

/** Returns the first row of each group, and for each row the number of its group, from 1. */
export function groupConsecutive<T>(
  rows: readonly T[],
  isAlike: (first: T, row: T) => boolean,
): { readonly firstRows: readonly T[]; readonly groupNumbers: readonly number[] } {
  const firstRows: T[] = [];
  const groupNumbers = rows.map((row) => {
    const lastFirstRow = firstRows.at(-1);
    return lastFirstRow !== undefined && isAlike(lastFirstRow, row)
      ? firstRows.length
      : firstRows.push(row);
  });
  return { firstRows, groupNumbers };
}
