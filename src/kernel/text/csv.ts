// Comma-separated values (RFC 4180) that a spreadsheet only shows: a cell that would be taken for a
// formula is written with an apostrophe before it.
// https://owasp.org/www-community/attacks/CSV_Injection

export type Cell = string | number | null;

/** Lines end in CRLF; the first one is the head. Numbers stay numbers. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

/** An amount as we write it, also below zero, is a number and no formula. */
const plainNumber = /^-?\d+(\.\d+)?$/;

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
