import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSentenceSplitter } from './split-sentences.ts';

const split = openSentenceSplitter(['u.s', 'inc', 'dr', 'e.g', 'vs', 'no', 'a.m', 'prof']);
const textsOf = (text: string) => split(text).map((sentence) => sentence.text);

test.each([
  [
    'Version v3.5 costs $2.50. It ships on Monday.',
    ['Version v3.5 costs $2.50.', 'It ships on Monday.'],
  ],
  ['The U.S. Senate voted. Then it left.', ['The U.S. Senate voted.', 'Then it left.']],
  [
    'It was sold in the U.S. The buyer is unknown.',
    ['It was sold in the U.S.', 'The buyer is unknown.'],
  ],
  [
    'Dr. Lund of Gull Inc. spoke at 9 a.m. in Porto.',
    ['Dr. Lund of Gull Inc. spoke at 9 a.m. in Porto.'],
  ],
  [
    'Auf Rosen, z. B. die von Prof. Öhler, i. d. R. also im März. Dann nicht.',
    ['Auf Rosen, z. B. die von Prof. Öhler, i. d. R. also im März.', 'Dann nicht.'],
  ],
  [
    'It moved, said Prof.\nLund of Gull Inc.\nThe firm paid 3 p.m.\nwages.',
    ['It moved, said Prof. Lund of Gull Inc.', 'The firm paid 3 p.m. wages.'],
  ],
  [
    'He sued in the U.S.\nCourt of Appeals on Monday.\nIt is open.',
    ['He sued in the U.S. Court of Appeals on Monday.', 'It is open.'],
  ],
  [
    'It opens gull.example/?q=term first. It reads.',
    ['It opens gull.example/?q=term first.', 'It reads.'],
  ],
  ['J. K. Moreau wrote it. It sold.', ['J. K. Moreau wrote it.', 'It sold.']],
  [
    'Use tools, e.g. hammers. See no. 4 for more.',
    ['Use tools, e.g. hammers.', 'See no. 4 for more.'],
  ],
  [
    '“It works. It really does,” she said. He agreed.',
    ['“It works. It really does,” she said.', 'He agreed.'],
  ],
  ['Is it fast? Yes! And cheap.', ['Is it fast?', 'Yes!', 'And cheap.']],
  [
    '今天发布。价格减半！真的吗？当然；明天上线。',
    ['今天发布。', '价格减半！', '真的吗？', '当然；', '明天上线。'],
  ],
  ['他说：“来了。我们等着。”随后离开。', ['他说：“来了。我们等着。”', '随后离开。']],
  [
    'GPT-4.5 比 v3.5 快 2.3 倍。价格为 1.5 元。',
    ['GPT-4.5 比 v3.5 快 2.3 倍。', '价格为 1.5 元。'],
  ],
])('splits: %s', (text, sentences) => {
  expect(textsOf(text)).toEqual(sentences);
});

test('sentences never cross line boundaries', () => {
  expect(split('A heading\nA sentence.\n\nAnother one.')).toEqual([
    { text: 'A heading', block: 0, isComplete: false },
    { text: 'A sentence.', block: 1, isComplete: true },
    { text: 'Another one.', block: 2, isComplete: true },
  ]);
});

test('a truncated sentence is not complete', () => {
  expect(split('It began well. Then the').map(({ isComplete }) => isComplete)).toEqual([
    true,
    false,
  ]);
  expect(split('It began well. Then it…').map(({ isComplete }) => isComplete)).toEqual([
    true,
    false,
  ]);
  expect(split('It began well. Then [...]').map(({ isComplete }) => isComplete)).toEqual([
    true,
    false,
  ]);
});

test('keeps all characters except white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const withoutSpaces = (value: string) => value.replace(/\s+/gu, '');
      expect(withoutSpaces(textsOf(text).join(''))).toBe(withoutSpaces(text));
    }),
  );
});
