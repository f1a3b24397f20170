// The parts of a text that are extracted, removed or folded before texts are compared.
import { expect, test } from 'vitest';
import { findIssueNumbers } from './find-issue-numbers.ts';
import { findVersions } from './find-versions.ts';
import { openFold } from './fold-text.ts';
import { removeAddresses } from './remove-addresses.ts';
import { rootOf } from './stem.ts';

test('quarters, episodes and numbered events are issue numbers, and dates are not', () => {
  expect(findIssueNumbers('第3届车展，2026年第二季度')).toEqual(['3/届', '2026/二']);
  expect(findIssueNumbers('q3 2026 results, episode 12')).toEqual(['3/2026', '12']);
  expect(findIssueNumbers('on 17 august, 8月17日')).toEqual([]);
});

test('a version is a name with a small number that has no unit', () => {
  const versionsIn = (text: string) => findVersions(text).map((v) => `${v.family}/${v.version}`);
  expect(versionsIn('Harbour Write 2.5 is out, Write 2.4 stays')).toEqual([
    'write/2.5',
    'write/2.4',
  ]);
  expect(versionsIn('潮信2.5上线')).toEqual(['潮信/2.5']);
  expect(versionsIn('潮信 3.0 降价 5 元，8 月 3 日起')).toEqual(['潮信/3']);
  expect(versionsIn('成本降低GLM-5.2，DeepSeek V4 与 GPT\u20115.6')).toEqual([
    'glm/5.2',
    'deepseek/4',
    'gpt/5.6',
  ]);
  expect(versionsIn('May 5: Room 4 people, Only 20% left, Paid 3 million')).toEqual([]);
});

test('removes addresses and handles, and keeps mailboxes and the words around them', () => {
  expect(removeAddresses('See https://a.example/x?y=1#z via @some_one: ok')).toBe(
    'See   via  : ok',
  );
  expect(removeAddresses('详见https://a.example/x。更多')).toBe('详见 。更多');
  expect(removeAddresses('write to desk@news.example')).toBe('write to desk@news.example');
});

test('a name is one word with and without its diacritics', () => {
  const fold = openFold({ from: '', to: '' });
  expect(fold('Luis Cárdenas, Müller, Häagen')).toBe('Luis Cardenas, Muller, Haagen');
  expect(fold('Сергей Ким, 한국, ガス')).toBe('Сергей Ким, 한국, ガス');
});

test('inflected words of other languages share a root, English words and short words stay', () => {
  const isEnglish = (word: string) => ['cloud', 'games'].includes(word);
  const rootsOf = (words: readonly string[]) => words.map((word) => rootOf(word, isEnglish));
  expect(rootsOf(['olímpico', 'olímpicas'])).toEqual(['olímp', 'olímp']);
  expect(rootsOf(['исинбаева', 'исинбаевой'])).toEqual(['исинб', 'исинб']);
  expect(rootsOf(['games', 'oro', '10000x'])).toEqual(['games', 'oro', '10000x']);
  expect(rootOf('cloudflare', isEnglish)).toBe('cloudf');
});
