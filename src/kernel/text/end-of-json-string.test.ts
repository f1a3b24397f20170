import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfJsonString } from './end-of-json-string.ts';

const pieces = ['\\"', '\\\\', '\\n', 'a', ' ', 'word of text', '😀', '{', ','];

test('finds the end of a string after any escapes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
      const string = `"${parts.join('')}"`;
      expect(endOfJsonString(`[${string},"",${string}]`, 1)).toBe(1 + string.length);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['"', '"a', '"\\', '"\\"', '"a\\"word of text', '"\\"\\'])('%s has no end', (text) => {
  expect(endOfJsonString(text, 0)).toBe(text.length);
});
