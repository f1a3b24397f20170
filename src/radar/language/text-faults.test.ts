// Text of a page around its article is a fault. A sentence or title about such things is not.
import { expect, test } from 'vitest';
import { sentenceFaults, titleFaults } from './text-faults.ts';

test.each([
  ['en', 'Read more: Acme withdraws its first robot.'],
  ['en', 'Subscribe to our newsletter for daily updates.'],
  ['en', 'ADVERTISEMENT Acme withdraws its first robot from all shops.'],
  ['en', 'By continuing you agree to our terms of use and privacy policy.'],
  ['zh', '更多内容请关注微信公众号新机器人，每天早上更新。'],
  ['zh', '（来源：新机器人）根据新的法案，企业将被禁止交易股票。'],
])('detects text that is not part of the article: %s, "%s"', (language, sentence) => {
  expect(sentenceFaults(sentence, language)).toContain('furniture');
});

test.each([
  ['en', 'Acme changes its privacy policy to train on invoices'],
  ['en', 'Singer sues Acme over her voice in an advertisement'],
  ['en', 'Acme opens its newsletter tool to publishers'],
  ['en', 'Acme will block third-party cookies from March'],
  ['en', 'Customers of Acme can sign up without a password'],
  ['zh', '微信公众号平台上线自动配图功能'],
])('accepts a title about a page, a policy or an advertisement: %s, "%s"', (language, title) => {
  expect(titleFaults(title, language)).toEqual([]);
});

test.each([
  [true, 'The model handles dates in seven calendars and costs no more.'],
  [true, 'The new version reaches web users first, in the next days.'],
  [false, 'The model maker Acme brought out its second robot on Monday.'],
  [false, 'The New York region counts two thousand robots of Acme.'],
])('detects a noun that refers to an earlier name: %s, "%s"', (expected, sentence) => {
  expect(sentenceFaults(sentence, 'en').includes('dependent')).toBe(expected);
});
