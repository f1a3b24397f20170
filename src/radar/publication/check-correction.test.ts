import { expect, test } from 'vitest';
import { checkCorrection, cleanCorrection } from './check-correction.ts';

test('reports every invalid field', () => {
  const fields = { title: 'x'.repeat(301), summary: 'x'.repeat(2_001), category: 'nope' };
  expect(checkCorrection(fields, ['tip'])).toEqual([
    { field: 'title', kind: 'too-long', max: 300 },
    { field: 'summary', kind: 'too-long', max: 2_000 },
    { field: 'category', kind: 'unknown' },
  ]);
});

test('accepts a known category, and null in every field', () => {
  expect(checkCorrection({ category: 'tip' }, ['tip'])).toEqual([]);
  expect(checkCorrection({ title: null, summary: null, category: null }, ['tip'])).toEqual([]);
});

test('keeps one line of visible text', () => {
  expect(cleanCorrection(' a\u202eb\n c ')).toBe('ab c');
  expect(cleanCorrection(' \u202e ')).toBeNull();
});
