import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canGroupByTitle, normaliseTitle } from './title-key.ts';

test('case, width, punctuation and the publisher do not change the key', () => {
  const key = 'harbor opens its model to schools';
  expect(normaliseTitle('Harbor Opens Its Model to Schools')).toBe(key);
  expect(normaliseTitle('“Harbor” opens its model — to schools!')).toBe(key);
  expect(normaliseTitle('Ｈａｒｂｏｒ opens its model to schools')).toBe(key);
  expect(normaliseTitle('Harbor opens its model to schools | The Daily Gull')).toBe(key);
  expect(normaliseTitle('Harbor opens its model to schools - Gull')).toBe(key);
  expect(normaliseTitle('港湾向学校开放模型_科技频道')).toBe('港湾向学校开放模型');
});

test('a suffix with a figure belongs to the title', () => {
  expect(normaliseTitle('Notes from the model workshop - Part 2')).toBe(
    'notes from the model workshop part 2',
  );
});

test('a suffix is kept when the title would be too short without it', () => {
  expect(normaliseTitle('Gull - the new notebook')).toBe('gull the new notebook');
});

test.each([
  ['Harbor opens its model to schools', true],
  ['港湾向学校开放大模型', true],
  ['Harbor opens up', false],
  ['Your horoscope for today', false],
  ['Gold price today in the harbour', false],
  ['Stock market today: live updates', false],
  ['今日金价最新行情走势一览表', false],
  ['Harbor cuts the price of its model today', true],
  ['Introducing Gull', false],
  ['港湾开放模型', false],
  ['GPT-9', false],
  ['', false],
  ['😀😀😀😀😀', false],
  ['The weekly roundup of everything in machine learning', false],
  ['Daily briefing for people who build things', false],
  ['人工智能行业早报：今天的十条新闻', false],
  ['一周大模型论文盘点与推荐', false],
])('equal titles "%s" can group items: %s', (title, canGroup) => {
  expect(canGroupByTitle(title)).toBe(canGroup);
});

test('the key of any title is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      const key = normaliseTitle(title);
      expect(normaliseTitle(key)).toBe(key);
    }),
  );
});
