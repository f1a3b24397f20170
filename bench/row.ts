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

/** Whether a row keeps its promise; a row without one does. */
export function isMet({ value, goal }: BenchRow): boolean {
  if (goal === undefined) return true;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** Rows as lines of a Markdown table. */
export function rowsAsTable(rows: readonly BenchRow[]): string {
  const lines = rows.map((row) => {
    const bound =
      row.goal && ('atMost' in row.goal ? `≤ ${row.goal.atMost}` : `≥ ${row.goal.atLeast}`);
    const isLarge = Math.abs(row.value) >= 100;
    const shown = isLarge ? Math.round(row.value).toString() : row.value.toPrecision(3);
    const kept = bound === undefined ? '' : isMet(row) ? '✓' : '✗';
    return `| ${row.name} | ${shown} ${row.unit} | ${bound ?? ''} ${kept} | ${row.note ?? ''} |`;
  });
  return ['| what | measured | goal | note |', '|---|---:|---|---|', ...lines].join('\n');
}
