// Renders a table of records, with cells as data. On a phone, the rows of a wide table become
// blocks in which each cell shows the name of its column.
import { Html, html, nothing } from '../html/html.ts';

export type TableColumn = {
  /** An empty label: a column of buttons without a heading. Only the heading shows markup. */
  readonly label: string | Html;
  readonly isNumber?: boolean;
  /** The cell is understandable without its column heading. */
  readonly isSelfExplanatory?: boolean;
};

type CellContent = Html | string | number;

type CellFields = {
  readonly content: CellContent;
  /** The heading of its row. */
  readonly isHeading?: boolean;
  readonly className?: string;
  readonly rowspan?: number;
  /** A cell over several columns contains a sentence and shows no column name. */
  readonly colspan?: number;
};

export type TableCell = CellContent | CellFields;

/** A row below a cell with a rowspan has no cells for the first columns. */
export type TableRow =
  | readonly TableCell[]
  | { readonly cells: readonly TableCell[]; readonly className: string };

export const rowHeading = (content: CellContent): TableCell => ({ content, isHeading: true });

/** A cell whose text has no line break, such as a time. */
export const singleLineCell = (content: CellContent): TableCell => ({
  content,
  className: 'nowrap',
});

type TableOptions = {
  /** On a phone each row becomes a block. */
  readonly isStacked?: boolean;
  readonly isTight?: boolean;
  readonly className?: string;
  /** The name of the scrolling frame for screen readers. */
  readonly label?: string;
  /** The sum of the rows. */
  readonly footer?: TableRow;
};

export function renderListTable(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  { isStacked = columns.length > 3, isTight = false, className, label, footer }: TableOptions = {},
): Html {
  const classes = ['list', isTight && 'tight', className, isStacked && 'stacks'];
  const name = label !== undefined && html` role="region" aria-label="${label}"`;
  return html`<div class="scroll" tabindex="0"${name}>\
<table class="${classes.filter(Boolean).join(' ')}"><thead>\
<tr>${columns.map(renderHead)}</tr></thead><tbody>
${rows.map((row) => renderRow(row, columns, isStacked))}</tbody>${
    footer !== undefined && html`<tfoot>${renderRow(footer, columns, isStacked)}</tfoot>`
  }</table></div>`;
}

function renderHead({ label, isNumber }: TableColumn): Html {
  if (label === '') return html`<td></td>`;
  return html`<th scope="col"${isNumber && html` class="number"`}>${label}</th>`;
}

function renderRow(row: TableRow, columns: readonly TableColumn[], isStacked: boolean): Html {
  const { cells, className } = 'cells' in row ? row : { cells: row, className: null };
  const fields = cells.map(fieldsOf);
  const width = fields.reduce((sum, { colspan = 1 }) => sum + colspan, 0);
  let index = columns.length - width;
  const rendered = fields.map((cell) => {
    const { colspan = 1 } = cell;
    const column = colspan === 1 ? columns[index] : undefined;
    index += colspan;
    return renderCell(cell, column, isStacked);
  });
  return html`<tr${className !== null && html` class="${className}"`}>${rendered}</tr>
`;
}

const fieldsOf = (cell: TableCell): CellFields =>
  typeof cell === 'object' && !(cell instanceof Html) ? cell : { content: cell };

function renderCell(cell: CellFields, column: TableColumn | undefined, isStacked: boolean): Html {
  const { content, isHeading = false, rowspan = 1, colspan = 1 } = cell;
  // Headings, empty cells and cells over several columns need no column name.
  const isLabelled =
    isStacked &&
    !isHeading &&
    content !== '' &&
    typeof column?.label === 'string' &&
    !column.isSelfExplanatory;
  const classes = [column?.isNumber === true ? 'number' : '', cell.className ?? ''];
  const className = classes.filter(Boolean).join(' ');
  const attributes = [
    isLabelled ? html` data-label="${column?.label}"` : nothing,
    className === '' ? nothing : html` class="${className}"`,
    rowspan === 1 ? nothing : html` rowspan="${rowspan}"`,
    colspan === 1 ? nothing : html` colspan="${colspan}"`,
  ];
  return isHeading
    ? html`<th scope="row"${attributes}>${content}</th>`
    : html`<td${attributes}>${content}</td>`;
}
