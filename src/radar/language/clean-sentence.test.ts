import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readEditorial } from '../enrichment/read-editorial.ts';
import { openSentenceCleaner } from './clean-sentence.ts';

const folder = fileURLToPath(new URL('../../../editorial', import.meta.url));
const clean = openSentenceCleaner((await readEditorial(folder)).sentences);

test.each([
  'We use cookies to improve your experience.',
  'Subscribe to our newsletter for free updates.',
  'Sign up to get the best stories in your inbox.',
  'Read more about Meridian here.',
  'Share this article on Facebook.',
  'By Ana Reis, March 3, 2026.',
  'Published on 3 March 2026.',
  'Photo by Ana Reis via Getty Images.',
  'Image credit: Orrery Labs.',
  'The post Meridian is here appeared first on The Daily Gull.',
  'Home | News | About | Contact.',
  'const model = load("meridian");',
  'Join our Discord to talk about it.',
  'Copyright 2026 The Daily Gull.',
  'This article was originally published by the Gull.',
  '4 min read.',
  'More: https://gull.example/a/very/long/path/to/some/article.',
  '责任编辑：王某。',
  '图源：某某网络。',
  '点击关注公众号，获取更多资讯。',
  '扫描二维码加入交流群。',
  '未经授权，禁止转载。',
  '大家好，我是小编。',
  '本文不构成投资建议。',
  '▲ 图 1 模型结构示意。',
  'An unclosed (bracket makes half a sentence.',
  'THIS WHOLE LINE IS SHOUTED AT THE READER.',
  '...',
  '🔥🔥🔥',
])('refuses a sentence that cannot be quoted: %s', (sentence) => {
  expect(clean(sentence)).toBeNull();
});

test.each([
  ['PORTO (Reuters) - Orrery has opened Meridian.', 'Orrery has opened Meridian.'],
  ['PORTO, March 3 — Orrery has opened Meridian.', 'Orrery has opened Meridian.'],
  ['TL;DR: Orrery has opened Meridian.', 'Orrery has opened Meridian.'],
  ['The Gull Newsletter: Orrery has opened Meridian.', 'Orrery has opened Meridian.'],
  ['新华社北京8月25日电（记者王某）奥瑞利今天发布模型。', '奥瑞利今天发布模型。'],
  ['IT之家 11 月 3 日消息，奥瑞利今天发布模型。', '奥瑞利今天发布模型。'],
  ['（记者 王某）奥瑞利今天发布模型。', '奥瑞利今天发布模型。'],
])('removes bylines and datelines: %s', (sentence, cleaned) => {
  expect(clean(sentence)).toBe(cleaned);
});

test('removes remains of markup', () => {
  expect(
    clean('**Orrery** has [opened](https://orrery.example) `Meridian`[^note] today [12].'),
  ).toBe('Orrery has opened Meridian today.');
});

test.each([
  'Meridian 3 (the third of its line) costs $2.50 per million tokens.',
  '奥瑞利宣布将 MERIDIAN-3 的 API 与 GPU 套餐价格下调超 20%。',
  '奥瑞利股价最高报 1100 元，收盘涨 497.25%，市值 3624 亿元。',
  'Meridian, the tool of Orrery, stopped on Friday for 3 hours and 40 minutes.',
])('keeps an ordinary sentence: %s', (sentence) => {
  expect(clean(sentence)).toBe(sentence);
});

test('a full-width comma between the digits of a number becomes a comma', () => {
  expect(clean('丽川展示了1，320种设计，其中18，354件已售出。')).toBe(
    '丽川展示了1,320种设计，其中18,354件已售出。',
  );
});
