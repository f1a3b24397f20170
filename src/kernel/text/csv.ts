// Comma-separated values (RFC 4180). A cell that a spreadsheet would run as a formula begins with
// an apostrophe.
// https://owasp.org/www-community/attacks/CSV_Injection

export type Cell = string | number | null;

/** Lines end in CRLF; the first row is the header. Numbers stay numbers. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** A plain amount, also a negative one, is a number and no formula. */
const plainNumber = /^-?\d+(\.\d+)?$/;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
