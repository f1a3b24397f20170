import { expect, test } from 'vitest';
import { primaryLanguage } from './primary-language.ts';

test.each([
  ['zh-CN', 'zh'],
  ['ZH-Hant-TW', 'zh'],
  ['en', 'en'],
  ['', ''],
])('the primary language of %j is %j', (tag, primary) => {
  expect(primaryLanguage(tag)).toBe(primary);
});
