// Problems of a subscription's fields as sentences in both languages. The field's name precedes the
// sentence.
import type { z } from 'zod';

type ProblemText = { readonly en: string; readonly 'zh-CN': string };

/** `field` is a path such as `match.any`. */
export type SubscriptionProblem = { readonly field: string; readonly text: ProblemText };

/** Problems that the schema refers to by their keys. */
const schemaProblems = {
  queryText: {
    en: 'each text must have 2 to 200 characters',
    'zh-CN': '每行须有 2 到 200 个字符',
  },
  texts: { en: 'at most 10 texts', 'zh-CN': '最多 10 行' },
  score: { en: 'a whole number from 0 to 100', 'zh-CN': '须为 0 到 100 的整数' },
  condition: {
    en: 'at least one text, category, publisher or minimum score is required',
    'zh-CN': '文字、类别、来源和最低评分中至少要填一项',
  },
  localTime: { en: 'a time such as 08:00', 'zh-CN': '须为 08:00 这样的时间' },
  zone: { en: 'a time zone such as Asia/Shanghai', 'zh-CN': '须为 Asia/Shanghai 这样的时区' },
  minutes: {
    en: 'a whole number of minutes from 15 to 1440 that divides a day',
    'zh-CN': '须为 15 到 1440 分钟，且能整除一天',
  },
  schedule: {
    en: '{ "at": "instant" }, { "every": minutes } or { "daily": ["08:00"] }',
    'zh-CN': '须为 { "at": "instant" }、{ "every": 分钟 } 或 { "daily": ["08:00"] }',
  },
  quiet: { en: 'from and to must differ', 'zh-CN': '开始与结束不能相同' },
  reports: { en: 'at least one kind of report', 'zh-CN': '至少选择一种报告' },
  name: { en: 'a name is required', 'zh-CN': '请填写名称' },
  nameLength: { en: 'at most 80 characters', 'zh-CN': '最多 80 个字符' },
  channel: { en: 'a channel is required', 'zh-CN': '请选择渠道' },
  unknown: { en: 'unknown field', 'zh-CN': '没有这一项' },
  malformed: { en: 'this value is not valid', 'zh-CN': '内容无效' },
} as const satisfies Readonly<Record<string, ProblemText>>;

/** Returns a problem's key unchanged, as the `message` of a schema. The type checks the key. */
export const problemKey = (key: keyof typeof schemaProblems) => key;

const isKey = (message: string): message is keyof typeof schemaProblems =>
  Object.hasOwn(schemaProblems, message);

export function problemOf(prefix: string, issue: z.core.$ZodIssue): SubscriptionProblem {
  const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [prefix, ...issue.path.filter((part) => typeof part === 'string'), ...unknownKeys];
  const chooseKey = () => {
    if (issue.code === 'unrecognized_keys') return 'unknown';
    return isKey(issue.message) ? issue.message : 'malformed';
  };
  const values = issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : null;
  return {
    field: path.filter((part) => part !== '').join('.'),
    text:
      values === null
        ? schemaProblems[chooseKey()]
        : { en: `must be one of ${values}`, 'zh-CN': `须为下列之一：${values}` },
  };
}

export const unknownCategoryProblem = (
  category: string,
  categories: readonly string[],
): SubscriptionProblem => ({
  field: 'match.categories',
  text: {
    en: `unknown category ${category}; known: ${categories.join(', ')}`,
    'zh-CN': `没有类别 ${category}；现有类别：${categories.join('、')}`,
  },
});

export const missingChannelProblem = (channel: string): SubscriptionProblem => ({
  field: 'channel',
  text: { en: `no channel ${channel}`, 'zh-CN': `没有渠道 ${channel}` },
});

export const missingStoryProblem = (story: string): SubscriptionProblem => ({
  field: 'match.story',
  text: { en: `no public story ${story}`, 'zh-CN': `没有公开的事件 ${story}` },
});
