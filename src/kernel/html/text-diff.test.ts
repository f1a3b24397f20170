import { expect, test } from 'vitest';
import { renderTextDiff } from './text-diff.ts';

test('marks a changed word as removed and added', () => {
  expect(renderTextDiff('Lichuan to cut 420 jobs', 'Lichuan to cut 530 jobs', 'en').text).toBe(
    'Lichuan to cut <del>420</del><ins>530</ins> jobs',
  );
});

test('compares Chinese by words', () => {
  expect(renderTextDiff('融资两亿元，闻笛', '融资三亿元，闻笛', 'zh-CN').text).toBe(
    '融资<del>两</del><ins>三</ins>亿元，闻笛',
  );
});

test('escapes texts, and marks no part of equal texts', () => {
  expect(renderTextDiff('<b>', '<b>', 'en').text).toBe('&lt;b&gt;');
  expect(renderTextDiff('', 'new', 'en').text).toBe('<ins>new</ins>');
  expect(renderTextDiff('old', '', 'en').text).toBe('<del>old</del>');
});

test('marks the whole text as replaced when it has many differences', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 600 }, (_, index) => letter + index).join(' '),
  );
  expect(renderTextDiff(`same ${before}`, `same ${after}`, 'en').text).toBe(
    `<del>same ${before}</del><ins>same ${after}</ins>`,
  );
});
