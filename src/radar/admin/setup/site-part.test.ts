import { expect, test } from 'vitest';
import { renderFixedValue } from './site-part.ts';

const field = { label: '语言', value: '中文', reason: '由环境变量设定。' };

test('a fixed value has the colon of the language', () => {
  expect(String(renderFixedValue('zh-CN', field))).toContain('<strong>语言</strong>：中文</p>');
  expect(String(renderFixedValue('en', field))).toContain('<strong>语言</strong>: 中文</p>');
});
