// Figures, versions and roots that are extracted from a text before comparison.
import { expect, test } from 'vitest';
import { findFigures } from './find-figures.ts';
import { findVersions } from './find-versions.ts';
import { removeAddresses } from './remove-addresses.ts';
import { rootOf } from './stem.ts';

const valuesIn = (text: string) =>
  findFigures(text, 24).map(({ kind, value }) => `${kind}:${value}`);

test('an amount is the same figure in both languages', () => {
  expect(valuesIn('raises $125m')).toEqual(['money:125000000']);
  expect(valuesIn('融资1.25亿美元')).toEqual(['money:125000000']);
  expect(valuesIn('17 percent')).toEqual(valuesIn('百分之17'));
  expect(valuesIn('9.1 million users')).toEqual(valuesIn('用户达910万'));
});

test('a date is no figure', () => {
  expect(valuesIn('on 17 august')).toEqual([]);
  expect(valuesIn('8月17日')).toEqual([]);
});

test('a version is a name with a small number that has no unit', () => {
  const versionsIn = (text: string) => findVersions(text).map((v) => `${v.family}/${v.version}`);
  expect(versionsIn('Harbour Write 2.5 is out, Write 2.4 stays')).toEqual([
    'write/2.5',
    'write/2.4',
  ]);
  expect(versionsIn('潮信2.5上线')).toEqual(['潮信/2.5']);
  expect(versionsIn('潮信 3.0 降价 5 元，8 月 3 日起')).toEqual(['潮信/3']);
  expect(versionsIn('May 5: Room 4 people, Only 20% left, Paid 3 million')).toEqual([]);
});

test('addresses and handles are no words, mailboxes and words beside them stay', () => {
  expect(removeAddresses('See https://a.example/x?y=1#z via @some_one: ok')).toBe(
    'See   via  : ok',
  );
  expect(removeAddresses('详见https://a.example/x。更多')).toBe('详见 。更多');
  expect(removeAddresses('write to desk@news.example')).toBe('write to desk@news.example');
});

test('inflected words of other languages share a root, English words and short words stay', () => {
  const isEnglish = (word: string) => ['cloud', 'games'].includes(word);
  const rootsOf = (words: readonly string[]) => words.map((word) => rootOf(word, isEnglish));
  expect(rootsOf(['olímpico', 'olímpicas'])).toEqual(['olímp', 'olímp']);
  expect(rootsOf(['исинбаева', 'исинбаевой'])).toEqual(['исинб', 'исинб']);
  expect(rootsOf(['games', 'oro', '10000x'])).toEqual(['games', 'oro', '10000x']);
  expect(rootOf('cloudflare', isEnglish)).toBe('cloudf');
});
