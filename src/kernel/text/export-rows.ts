// Formats rows as the lines of a file, for downloads that are streamed: NDJSON, or CSV with a
// header.
import { formatCsv } from './csv.ts';

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/** Chunks of whole lines. A CSV cell that contains an object is JSON. */
export async function* exportRows<Column extends string>(
  rows: AsyncIterable<Readonly<Record<Column, string | object | null>>>,
  columns: readonly Column[],
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield formatCsv([columns]);
  for await (const row of rows) {
    if (format === 'csv') yield formatCsv([columns.map((name) => toCell(row[name]))]);
    else yield `${JSON.stringify(row)}\n`;
  }
}

const toCell = (value: string | object | null): string | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
