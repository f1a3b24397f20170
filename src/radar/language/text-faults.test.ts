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

test.each([
  ['en', 'The minister will visit the border here Wednesday, joining two governors.', 'deictic'],
  ['zh', '丽川总裁在接受该媒体采访时表示，公司将裁员530人。', 'dependent'],
  ['zh', '随着事件发酵，丽川发布声明，承认有530人离开。', 'dependent'],
])('detects a sentence that refers to its own page: %s, "%s"', (language, sentence, fault) => {
  expect(sentenceFaults(sentence, language)).toContain(fault);
});

test.each([
  ['en', 'Here are the names of the 13 robots that Acme withdraws', 'missing_subject'],
  ['zh', '双十一将至，这22家网店被约谈', 'opinion'],
])(
  'detects a title that announces a list or hides its subject: %s, "%s"',
  (language, title, fault) => {
    expect(titleFaults(title, language)).toContain(fault);
  },
);
