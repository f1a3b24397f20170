import { expect, test } from 'vitest';
import { groupIntoSides } from './contradiction-sides.ts';

const statementOf = (value: string, source: string, at: number) => ({
  value,
  source,
  at,
  reportId: `${source}-${at}`,
});

test('groups equal values on one side, in any notation', () => {
  const statements = [
    statementOf('26%', 'Ledger', 4),
    statementOf('44 percent', 'Wire', 3),
    statementOf('44％', 'Herald', 1),
    statementOf('44 per cent', 'Forum', 2),
  ];
  const [first, second] = groupIntoSides(statements);
  expect(
    first.map(({ value, statements: all }) => [value, all.map((statement) => statement.source)]),
  ).toEqual([['44％', ['Herald', 'Forum', 'Wire']]]);
  expect(second.map(({ value }) => value)).toEqual(['26%']);
});

test('puts a third value on the second side; equally frequent values are in order of time', () => {
  const statements = [
    statementOf('$3', 'C', 3),
    statementOf('$1', 'A', 1),
    statementOf('$2', 'B', 2),
  ];
  const [first, second] = groupIntoSides(statements);
  expect([first, second].map((side) => side.map(({ value }) => value))).toEqual([
    ['$1'],
    ['$2', '$3'],
  ]);
});

test('equates notations of one value, and preserves decimals and units', () => {
  expect(groupIntoSides([statementOf('1,200', 'A', 1), statementOf('1200', 'B', 2)])[1]).toEqual(
    [],
  );
  expect(
    groupIntoSides([statementOf('35亿元', 'A', 1), statementOf('35 亿元', 'B', 2)])[1],
  ).toEqual([]);
  expect(groupIntoSides([statementOf('510 W', 'A', 1), statementOf('510瓦', 'B', 2)])[1]).toEqual(
    [],
  );
  expect(
    groupIntoSides([statementOf('$17m', 'A', 1), statementOf('1700万美元', 'B', 2)])[1],
  ).toEqual([]);
  const equalTokens = [statementOf('320,000 tokens', 'A', 1), statementOf('320k', 'B', 2)];
  expect(groupIntoSides(equalTokens)[1]).toEqual([]);
  const roundedEqual = [statementOf('64万词元', 'A', 1), statementOf('约64 万词元', 'B', 2)];
  expect(groupIntoSides(roundedEqual)[1]).toEqual([]);
  const differentLengths = [
    statementOf('1.5 km', 'A', 1),
    statementOf('1.5 m', 'B', 2),
    statementOf('15 km', 'C', 3),
  ];
  expect(groupIntoSides(differentLengths).flat()).toHaveLength(3);
});
