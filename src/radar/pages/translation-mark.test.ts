import { expect, test } from 'vitest';
import { readerMessages } from './messages/reader.ts';
import { renderTranslationMark, writtenLanguage } from './translation-mark.ts';

const messages = readerMessages('en');
const item = {
  title: '哈尔登港口对汽车关闭',
  originalTitle: 'Halden closes its harbour to cars',
  language: 'en',
  summaryBy: 'model',
} as const;
const markOf = (changes: object) =>
  String(renderTranslationMark({ ...item, ...changes }, messages));

test('a title that a model wrote in another language has a mark', () => {
  expect(markOf({})).toBe(`<span>${messages.translated}</span>`);
  expect(markOf({ title: 'Halden closes its harbour' })).toBe('');
  expect(markOf({ originalTitle: null })).toBe('');
});

test("an operator's title in another language has its language and no mark", () => {
  expect(markOf({ summaryBy: 'rules' })).toBe('');
  expect(writtenLanguage({ ...item, summaryBy: 'rules' })).toBe('zh');
});
