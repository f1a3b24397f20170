// One measured figure: what the README's tables and `npm run bench` are made of.

export type BenchRow = {
  readonly name: string;
  readonly value: number;
  /** `ms`, `MB`, `requests/s`, `×`, … */
  readonly unit: string;
  /** The bound promised, in the same unit. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
};

/** The selected slices of a measurement (empty: all), and the receiver of each row. */
export type Slices = {
  readonly selected: readonly string[];
  /** Called as soon as the row is measured. */
  readonly say: (row: BenchRow) => void;
};

export const isSelected = (selected: readonly string[], slice: string): boolean =>
  selected.length === 0 || selected.includes(slice);

export const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

/** Whether a row keeps its promise; a row without one does. */
export function isMet({ value, goal }: BenchRow): boolean {
  if (goal === undefined) return true;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** Rows as lines of a Markdown table. */
export function rowsAsTable(rows: readonly BenchRow[]): string {
  const head = ['| what | measured | goal | note |', '|---|---:|---|---|'];
  return [...head, ...rows.map(rowAsLine)].join('\n');
}

export function rowAsLine(row: BenchRow): string {
  const bound =
    row.goal && ('atMost' in row.goal ? `≤ ${row.goal.atMost}` : `≥ ${row.goal.atLeast}`);
  const isLarge = Math.abs(row.value) >= 100;
  const shown = isLarge ? Math.round(row.value).toString() : row.value.toPrecision(3);
  const kept = bound === undefined ? '' : isMet(row) ? '✓' : '✗';
  return `| ${row.name} | ${shown} ${row.unit} | ${bound ?? ''} ${kept} | ${row.note ?? ''} |`;
}
