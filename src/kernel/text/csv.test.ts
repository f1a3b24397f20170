import { expect, test } from 'vitest';
import { formatCsv } from './csv.ts';

test('quotes cells where necessary', () => {
  const rows = [
    ['name', 'note', 'count'],
    ['a, b', 'he said "no"\nand left', 3],
    ['中文', null, -2],
  ];
  expect(formatCsv(rows)).toBe(
    'name,note,count\r\n"a, b","he said ""no""\nand left",3\r\n中文,,-2\r\n',
  );
});

test.each([
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '=HYPERLINK("http://a.example","x")',
])('a spreadsheet reads %j as text', (cell) => {
  expect(formatCsv([[cell]]).replace(/^"/, '')).toMatch(/^'/);
});

test.each([
  ['name;=1+1', "name;'=1+1"],
  ['name;"=1+1"', '"name;""\'=1+1"""'],
  ['name\t@SUM(A1)', "name\t'@SUM(A1)"],
  ['name\n+1', '"name\n\'+1"'],
  ['Mozilla/5.0 (X11; Linux) {"a":-1,"-b":2}', '"Mozilla/5.0 (X11; Linux) {""a"":-1,""-b"":2}"'],
])('escapes %j for programs that split at semicolons, tabs or line breaks', (cell, line) => {
  expect(formatCsv([[cell]])).toBe(`${line}\r\n`);
});

test('amounts stay numbers', () => {
  expect(formatCsv([['-2.5', '0.036', '12']])).toBe('-2.5,0.036,12\r\n');
});
