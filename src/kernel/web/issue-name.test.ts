import { expect, test } from 'vitest';
import { formatIssueName } from './issue-name.ts';

test.each([
  ['daily', '2026-11-23', 'Monday 23 November', '11月23日星期一'],
  ['weekly', '2026-W46', 'Week 46 · 9–15 November', '第 46 周 · 11月9日至15日'],
  ['weekly', '2026-W49', 'Week 49 · 30 November – 6 December', '第 49 周 · 11月30日至12月6日'],
  ['weekly', '2027-W01', 'Week 1 · 4–10 January', '第 1 周 · 1月4日至10日'],
  ['monthly', '2026-11', 'November 2026', '2026年11月'],
] as const)('names the %s report of %s', (name, key, english, chinese) => {
  expect([formatIssueName(name, key, 'en'), formatIssueName(name, key, 'zh-CN')]).toEqual([
    english,
    chinese,
  ]);
});
