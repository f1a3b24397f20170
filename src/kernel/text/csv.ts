// Comma-separated values (RFC 4180). A cell that a spreadsheet would run as a formula begins with
// an apostrophe.
// https://owasp.org/www-community/attacks/CSV_Injection

export type Cell = string | number | null;

/** Lines end in CRLF; the first row is the header. Numbers stay numbers. */
export function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** A plain amount, even if negative, is a number and not a formula. */
const plainNumber = /^-?\d+(\.\d+)?$/;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safeText =
    /^[=+\-@＝＋－＠\t\r\n]/.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
