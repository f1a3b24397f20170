// A model's sentences must pass the checks for a good text, except for their length.
import { expect, test } from 'vitest';
import { checkModelSentence } from './model-text-faults.ts';

test.each([
  ['Lichuan will cut 530 jobs, 9 percent of its staff.', 'en', []],
  ['Today Lichuan cut 530 jobs in its hardware unit.', 'en', ['deictic']],
  ['We built Marlstone 7.5 to answer faster.', 'en', ['first_person']],
  ['Developers can call it as "halyard-skiff-3.3".', 'en', ['dependent']],
  ['Orrin said it will close the plant in May.', 'en', []],
  ['观棠今日发布新模型。', 'zh-CN', ['deictic']],
  ['Jobs go.', 'en', []],
])('finds the faults of: %s', (text, language, faults) => {
  expect(checkModelSentence(text, language)).toEqual(faults);
});
