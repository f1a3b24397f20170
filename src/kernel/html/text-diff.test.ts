import { expect, test } from 'vitest';
import { diffParts, textDiff } from './text-diff.ts';

test('marks a changed word as removed and added', () => {
  expect(textDiff('Lichuan to cut 420 jobs', 'Lichuan to cut 530 jobs', 'en').text).toBe(
    'Lichuan to cut <del>420</del><ins>530</ins> jobs',
  );
});

test('compares Chinese by characters', () => {
  expect(textDiff('裁员四百人', '裁员五百人', 'zh-CN').text).toBe(
    '裁员<del>四</del><ins>五</ins>百人',
  );
});

test('escapes texts, and marks nothing in equal ones', () => {
  expect(textDiff('<b>', '<b>', 'en').text).toBe('&lt;b&gt;');
  expect(textDiff('', 'new', 'en').text).toBe('<ins>new</ins>');
  expect(textDiff('old', '', 'en').text).toBe('<del>old</del>');
});

test('replaces long texts as a whole', () => {
  const long = 'word '.repeat(1_500);
  expect(diffParts(`a ${long}`, `b ${long}`).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
