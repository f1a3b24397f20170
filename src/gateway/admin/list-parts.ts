// Parts of lists: filters by one word, links to older entries, facts by name.
import { type Html, html, trusted } from '../../kernel/html/html.ts';

type Filter = { readonly path: string; readonly name: string; readonly chosen: string | null };
type Option = { readonly value: string | null; readonly label: string };

/** `value` null: the link that removes the filter. */
export function filterList({ path, name, chosen }: Filter, options: readonly Option[]): Html {
  return html`<div class="filters"><ul>${options.map(
    ({ value, label }) => html`<li><a href="${path}${value === null ? '' : `?${name}=${value}`}"${
      value === chosen && html` aria-current="page"`
    }>${label}</a></li>
`,
  )}</ul></div>`;
}

const SKIP_MAX = 100_000;

export function skipOf(query: URLSearchParams): number {
  return Math.min(SKIP_MAX, Math.max(0, Math.trunc(Number(query.get('skip'))) || 0));
}

export function olderLink(
  label: string,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Html {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]);
  return html`<p class="more"><a class="link" rel="next" \
href="${path}?${String(new URLSearchParams(pairs))}">${label} →</a></p>`;
}

export type Fact = readonly [name: string, value: Html | string | number];

export function factList(facts: readonly Fact[], className = 'facts stacked'): Html {
  return html`<dl class="${className}">${facts.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>`;
}

export type TableColumn = {
  readonly label: string;
  readonly isNumber?: boolean;
  /** The cell is understandable without its column heading. */
  readonly isSelfExplanatory?: boolean;
};

/**
 * A table whose rows supply their own cells. `stacks`: on a phone each row becomes a block in which
 * a cell shows its column name.
 */
export function listTable(
  columns: readonly TableColumn[],
  rows: readonly Html[],
  { stacks = columns.length > 3 } = {},
): Html {
  return html`<div class="scroll" tabindex="0"><table class="list${stacks && ' stacks'}"><thead>\
<tr>${columns.map(
    ({ label, isNumber }) =>
      html`<th scope="col"${isNumber && html` class="number"`}>${label}</th>`,
  )}</tr></thead><tbody>
${stacks ? rows.map((row) => labelCells(row, columns)) : rows}</tbody></table></div>`;
}

/** Cells with the names of their columns. */
function labelCells({ text }: Html, columns: readonly TableColumn[]): Html {
  const lines = text.split(/(?=<tr[ >])/).map((line) => {
    // One sentence instead of values.
    if (line.includes(' colspan=')) return line;
    const cells = line.match(/<t[dh](?=[ >])/g)?.length ?? 0;
    // A row below a cell with a rowspan has fewer cells and lacks the first.
    let at = columns.length - cells;
    return line.replace(/<(t[dh])(?=[ >])/g, (cell, name) => {
      const column = columns[at++];
      const isNamed = name === 'td' && column !== undefined && column.isSelfExplanatory !== true;
      return isNamed ? `${cell} data-label="${html`${column.label}`.text}"` : cell;
    });
  });
  return trusted(lines.join(''));
}
