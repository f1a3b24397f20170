import { expect, test } from 'vitest';
import { failureTexts, responseAdvices, translateReason } from './reason-texts.ts';

test('in Chinese, a reason keeps the text of the service and has a translated advice', () => {
  const reason = `Telegram 403: Forbidden: bot was kicked. ${responseAdvices['telegram 403']}`;
  expect(translateReason('en', reason)).toBe(reason);
  expect(translateReason('zh-CN', reason)).toBe(
    'Telegram 403: Forbidden: bot was kicked. 把机器人加入会话，并允许它发言。',
  );
});

test('every fixed sentence has a Chinese text', () => {
  for (const text of [...Object.values(failureTexts), ...Object.values(responseAdvices)]) {
    expect(translateReason('zh-CN', text)).toMatch(/\p{Script=Han}/u);
  }
});
