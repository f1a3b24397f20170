// Formats comma-separated values (RFC 4180). Text that a spreadsheet would run as a formula begins
// with an apostrophe. Some locales split at other separators and ignore the quotes, so a formula
// can also begin after a separator inside a cell.
// https://owasp.org/www-community/attacks/CSV_Injection

export type Cell = string | number | null;

/** Lines end in CRLF; the first row is the header. Numbers stay numbers. */
export function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** A plain amount, even if negative, is a number and not a formula. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** A cell that begins with a tab or a line break is text as well. */
const formulaStart = /^(?=[\t\r\n])|(?<before>^|[;\t\r\n]["']?)(?=[=+\-@＝＋－＠])/g;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safeText = plainNumber.test(cell) ? cell : cell.replaceAll(formulaStart, "$<before>'");
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
