import { expect, test } from 'vitest';
import { breakLines, measureBy } from './break-lines.ts';

/** Every Latin letter is half as wide as it is high. */
const measure = measureBy(new Array(352).fill(500));
const linesOf = (text: string, width: number, max = 9) => breakLines(text, { width, max }, measure);

test('Latin breaks between words, and white space is one space', () => {
  expect(linesOf('the quick  brown\nfox', 5)).toEqual(['the quick', 'brown fox']);
});

test('Chinese breaks anywhere except before a comma or after an opening bracket', () => {
  expect(linesOf('墨渡影像今天发布模型', 5)).toEqual(['墨渡影像今', '天发布模型']);
  expect(linesOf('墨渡影像今，天发布', 5)).toEqual(['墨渡影像', '今，天发布']);
  expect(linesOf('墨渡影像《天发布》', 5)).toEqual(['墨渡影像', '《天发布》']);
});

test('a Latin name within Chinese stays whole', () => {
  expect(linesOf('发布Marlstone模型', 5)).toEqual(['发布', 'Marlstone', '模型']);
});

test('a word wider than the line breaks inside', () => {
  expect(linesOf('abcdefgh', 2)).toEqual(['abcd', 'efgh']);
});

test('text that does not fit ends in an ellipsis within the width', () => {
  expect(linesOf('one two three four', 4, 2)).toEqual(['one two', 'three…']);
  expect(measure(linesOf('字'.repeat(50), 6, 2)[1] ?? '')).toBeLessThanOrEqual(6);
});

test('an empty text has no lines', () => {
  expect(linesOf('  ', 5)).toEqual([]);
});
