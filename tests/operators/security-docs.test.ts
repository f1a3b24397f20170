// docs/security.md names a test for most of its rows. Each named file must exist, and each row has
// a known state.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('every row has a requirement, a state and an explanation or a test', () => {
  expect(rows.length).toBeGreaterThan(150);
  const states = ['met', 'partly', 'not met'];
  const problems = rows.filter(
    ([, , state = '', evidence = '', tests = '', ...otherCells]) =>
      !states.includes(state) || (evidence === '' && tests === '') || otherCells.length !== 1,
  );
  expect(problems).toEqual([]);
});

test('every named test exists', () => {
  const testPaths = rows.flatMap(([, , , , tests = '']) =>
    [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  );
  expect(testPaths.length).toBeGreaterThan(130);
  expect([...new Set(testPaths)].filter((path) => !existsSync(path))).toEqual([]);
});
