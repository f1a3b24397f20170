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
