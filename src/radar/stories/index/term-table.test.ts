// A term keeps its number until the table is compacted.
import { expect, test } from 'vitest';
import { openTermTable } from './term-table.ts';

test('every term keeps a number of its own', () => {
  const table = openTermTable();
  const terms = Array.from(
    { length: 50_000 },
    (_, index) => `${index % 2 === 0 ? 'p:' : ''}term ${index}`,
  );
  expect(terms.map(table.number)).toEqual(terms.map((_, index) => index));
  expect(terms.map(table.number)).toEqual(terms.map((_, index) => index));
  expect(table.size).toBe(terms.length);
});

test('compact renumbers used terms in order and removes the others', () => {
  const table = openTermTable();
  for (const term of ['a', 'b', 'c', 'd']) table.number(term);
  expect([...table.compact(Uint8Array.of(0, 1, 0, 1))]).toEqual([0, 0, 0, 1]);
  expect(['b', 'd', 'a'].map(table.number)).toEqual([0, 1, 2]);
});
