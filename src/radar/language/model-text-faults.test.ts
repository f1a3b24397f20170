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
  ['On the platform, ask for "halyard-5.2" by name.', 'en', ['missing_subject']],
  ['Use of the model is free for schools in Orrin.', 'en', []],
  ['欢迎开发者加入观棠的内测计划。', 'zh-CN', ['second_person']],
  ['Jobs go.', 'en', []],
])('finds the faults of: %s', (text, language, faults) => {
  expect(checkModelSentence(text, language)).toEqual(faults);
});
