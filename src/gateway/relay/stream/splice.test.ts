import { expect, test } from 'vitest';
import { spliceText } from './splice.ts';

const delivered = 'The harbour of Port Selby opened in 1911, and ';

test.each([
  ['a restart, whose repeated text is removed', `${delivered}it grew.`, false, 'it grew.', true],
  ['an overlap of 16 or more characters', 'opened in 1911, and it grew.', false, 'it grew.', false],
  ['a short match, which is not an overlap', 'and it grew.', false, 'and it grew.', false],
  ['white space, which is joined once', ' it grew.', false, 'it grew.', false],
  ['a restart that ends early', 'The harbour of Port', true, '', true],
  ['a short text that is also a prefix', 'The', true, 'The', false],
])('finds the splice point: %s', (_name, next, isEnd, text, isRestart) => {
  expect(spliceText(delivered, next, isEnd)).toEqual({ text, isRestart });
});

test.each(['', 'The harbour', 'opened in 1911'])('requires more text after %j', (next) => {
  expect(spliceText(delivered, next, false)).toBeNull();
});

test('finds the longest overlap of repetitive texts', () => {
  const texts = Array.from({ length: 2 ** 7 }, (_, bits) =>
    bits.toString(2).replaceAll('0', 'ab').repeat(5),
  );
  for (const [index, text] of texts.entries()) {
    const before = `x${texts[(index * 37) % texts.length]}${text}`;
    const next = `${text}${texts[(index * 53) % texts.length]}y`;
    const starts = Array.from({ length: next.length }, (_, length) => next.slice(0, length));
    const overlap = starts.findLast((start) => start.length >= 16 && before.endsWith(start)) ?? '';
    expect(spliceText(before, next, true)?.text).toBe(next.slice(overlap.length));
  }
});

test('finds no overlap in 256 KiB of one repeated word', () => {
  const repeatedText = 'ab'.repeat(128 * 1024);
  expect(spliceText(`${repeatedText}x`, `${repeatedText}y`, true)?.text).toBe(`${repeatedText}y`);
});
