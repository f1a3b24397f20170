// A measured figure. It is a row in the output of `npm run bench` and in the README's tables.

export type BenchRow = {
  readonly name: string;
  readonly value: number;
  /** `ms`, `MB`, `requests/s`, `×`, … */
  readonly unit: string;
  /** The promised limit, in the same unit. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
};

/** The selected slices of a measurement (empty: all), and the receiver of each row. */
export type Slices = {
  readonly selected: readonly string[];
  /** Called as soon as the row is measured. */
  readonly report: (row: BenchRow) => void;
};

export const isSelected = (selected: readonly string[], slice: string): boolean =>
  selected.length === 0 || selected.includes(slice);

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

/** Whether the value is within its promised limit. True for a figure without a limit. */
export function meetsGoal({ value, goal }: BenchRow): boolean {
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
  const value = isLarge ? Math.round(row.value).toString() : row.value.toPrecision(3);
  const goalMark = meetsGoal(row) ? '✓' : '✗';
  const verdict = bound === undefined ? '' : goalMark;
  return `| ${row.name} | ${value} ${row.unit} | ${bound ?? ''} ${verdict} | ${row.note ?? ''} |`;
}
