// Titles of stories: the statements of a source's title.
import { expect, test } from 'vitest';
import { storyTitle } from './story-title.ts';

test.each([
  ['层岚发布新款机器人！网友：买吗？', '层岚发布新款机器人'],
  ['官宣！层岚取消附送充电器', '层岚取消附送充电器'],
  ['快讯 | 层岚向丽川供货机器人', '层岚向丽川供货机器人'],
  ['层岚回应了！机器人降价122元', '层岚回应了，机器人降价122元'],
  ['层岚的机器人值得买吗？', '层岚的机器人值得买吗？'],
  ['谁来买单？系层岚员工自导自演', '谁来买单？系层岚员工自导自演'],
  ['层岚取消附送充电器。', '层岚取消附送充电器'],
  ['Quern opens a school for robots.', 'Quern opens a school for robots'],
  ['Quern opens a school for robots,', 'Quern opens a school for robots'],
])('%s becomes %s', (title, expected) => {
  expect(storyTitle(title)).toBe(expected);
});
