import { expect, test } from 'vitest';
import { passwordProblems, passwordProblemText } from './password-problem.ts';

test.each([
  ['short', ['short', 'common']],
  ['q7', ['short']],
  ['          ', ['short']],
  ['v%3kfQ'.repeat(40), ['long']],
  ['1234567890', ['common']],
  ['password1234', ['common']],
  ['aaaaaaaaaa', ['repeated']],
  ['monkeymonkey', ['repeated']],
  ['bcdefghijkl', ['sequence']],
  ['ada.lovelace@example.com', ['owner']],
  ['ada.lovelace', ['owner']],
  ['lovelace1985', ['owner', 'date']],
  ['密码密码密码密码密码', ['repeated']],
] as const)('refuses the password %s', async (password, problems) => {
  expect(await passwordProblems(password, 'Ada.Lovelace@example.com')).toEqual(problems);
});

test.each([
  'correct horse battery',
  's9dK3-fkwQz',
  '雨后的石头很滑小心走路',
  `${'v%3kfQ-zL2'.repeat(2)} and a long sentence that goes on beyond what is estimated`,
])('accepts the password %s', async (password) => {
  expect(await passwordProblems(password, 'ada@example.com')).toEqual([]);
});

test('lists all problems and advice in both languages', () => {
  expect(passwordProblemText(['short', 'owner'])).toBe(
    'A password has 10 to 200 characters. ' +
      'It consists mostly of the address or name of its owner. ' +
      'Use four words that do not belong together, or a password that a password manager made.',
  );
  expect(passwordProblemText(['short', 'owner'], 'zh-CN')).toBe(
    '密码为 10 到 200 个字符。它主要由使用者的邮箱或名称构成。' +
      '请用四个互不相干的词，或由密码管理器生成。',
  );
});
