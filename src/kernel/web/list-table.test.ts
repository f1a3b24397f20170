import { expect, test } from 'vitest';
import { html } from '../html/html.ts';
import { renderListTable, rowHeading, singleLineCell, type TableRow } from './list-table.ts';

const columns = [
  { label: 'Name' },
  { label: 'State', isSelfExplanatory: true },
  { label: 'Since' },
  { label: 'Amount "CNY"', isNumber: true },
];

/** The HTML of the rows. */
const renderBody = (rows: readonly TableRow[], options?: { readonly isStacked: boolean }) =>
  /<tbody>\n(.*)<\/tbody>/s.exec(renderListTable(columns, rows, options).text)?.[1];

test('a cell shows the name of its column on a phone, unless it is self-explanatory', () => {
  const row = [rowHeading('Ada & Bo'), html`<b>on</b>`, singleLineCell('May'), 12];
  expect(renderBody([row])).toBe(
    '<tr><th scope="row">Ada &amp; Bo</th><td><b>on</b></td>' +
      '<td data-label="Since" class="nowrap">May</td>' +
      '<td data-label="Amount &quot;CNY&quot;" class="number">12</td></tr>\n',
  );
  expect(renderBody([row], { isStacked: false })).not.toContain('data-label');
});

test('cells below a cell of several rows belong to the last columns', () => {
  const firstCell = { content: 'Ada', isHeading: true, rowspan: 2 };
  const cells = ['on', 'May', { content: 1, className: 'nowrap' }];
  const otherCells =
    '<td>on</td><td data-label="Since">May</td>' +
    '<td data-label="Amount &quot;CNY&quot;" class="number nowrap">1</td>';
  expect(renderBody([[firstCell, ...cells], cells])).toBe(
    `<tr><th scope="row" rowspan="2">Ada</th>${otherCells}</tr>\n<tr>${otherCells}</tr>\n`,
  );
});

test('a cell over several columns has no column name', () => {
  const row = { cells: [rowHeading('Ada'), { content: 'never seen', colspan: 3 }], className: 'x' };
  expect(renderBody([row])).toBe(
    '<tr class="x"><th scope="row">Ada</th><td colspan="3">never seen</td></tr>\n',
  );
});

test('a column of buttons has no heading', () => {
  expect(renderListTable([{ label: 'Name' }, { label: '' }], []).text).toContain(
    '<tr><th scope="col">Name</th><td></td></tr>',
  );
});

test('a table with a footer and a label has them in its markup', () => {
  const footer = [rowHeading('Total'), '', '', 12];
  const { text } = renderListTable(columns, [], { isTight: true, label: 'Sums', footer });
  expect(text).toContain('<div class="scroll" tabindex="0" role="region" aria-label="Sums">');
  expect(text).toContain('<table class="list tight stacks">');
  // An empty cell shows no column name.
  expect(text).toContain(
    '<tfoot><tr><th scope="row">Total</th><td></td><td></td>' +
      '<td data-label="Amount &quot;CNY&quot;" class="number">12</td></tr>\n</tfoot>',
  );
});
