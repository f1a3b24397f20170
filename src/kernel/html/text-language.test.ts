import { expect, test } from 'vitest';
import { guessLanguage } from './text-language.ts';

test.each([
  ['Orrinfell drops Tiller 8 to $21 per user a month', 'en'],
  ['拾穗完成 7.9 亿元 D 轮融资', 'zh'],
  ['Marlstone 7 面世', 'zh'],
  ['Tingzhou Cloud (汀洲云) closes 990m yuan Series D round', 'en'],
  ['', 'en'],
])('the language of %s is %s', (text, language) => {
  expect(guessLanguage(text)).toBe(language);
});
