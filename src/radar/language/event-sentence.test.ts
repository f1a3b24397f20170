// Signs that a sentence or a title states an event.
import { expect, test } from 'vitest';
import { hasEarlyName, isAction, isReport } from './event-sentence.ts';

test.each([
  [true, 'Lichuan will cut 530 jobs, it told staff on Monday.', 'Lichuan cuts jobs'],
  [true, 'Voters in North Vantrell rejected the plan.', 'A plan fails'],
  [false, 'Developers can call it as a service from Monday on.', 'Vantrell opens Quern'],
  [false, 'Watching the news, one would think that nothing happened at all here.', 'Silence'],
  [true, '砺川宣布裁员530人。', '裁员'],
  [false, 'According to it (砺川半导体), the plan of Monday failed.', 'A plan fails'],
])('the sentence names its subject near the beginning: %s, "%s"', (expected, sentence, title) => {
  expect(hasEarlyName(sentence, title)).toBe(expected);
});

test.each([
  [true, 'Lichuan announced the cuts.'],
  [true, '砺川5日宣布裁员。'],
  [true, '砺川 11 月 5 日通知员工，将裁员 160 人。'],
  [false, 'Lichuan has been wrong about its staff for years.'],
  [false, '据报道，裁员还会继续。'],
])('a sentence is a report: %s, "%s"', (expected, sentence) => {
  expect(isReport(sentence)).toBe(expected);
});

test('a sentence below a caption is a report when it states a completed action', () => {
  expect(isAction('Lichuan has agreed to keep the plant.')).toBe(true);
  expect(isAction('Lichuan, a town.')).toBe(false);
  expect(isAction('Lichuan (砺川半导体) has opened orders for its chips.')).toBe(true);
});
