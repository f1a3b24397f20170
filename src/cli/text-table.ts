// Aligns columns of text for a terminal, also with letters that are two cells wide.

const MAX_CELL_CHARACTERS = 60;

export function textTable(rows: readonly (readonly string[])[]): string {
  const shortRows = rows.map((row) => row.map((cell) => shorten(cell.replaceAll(/\s+/g, ' '))));
  const widths = (shortRows[0] ?? []).map((_, column) =>
    Math.max(...shortRows.map((row) => countCells(row[column] ?? ''))),
  );
  const formatRow = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countCells(cell)))
      .join('  ');
  return shortRows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}

/** East Asian letters take two cells of a terminal. */
function countCells(text: string): number {
  let count = 0;
  for (const character of text) {
    count += /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\uff00-\uff60]/u.test(character)
      ? 2
      : 1;
  }
  return count;
}

const shorten = (text: string) =>
  text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
