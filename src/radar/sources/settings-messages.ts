// Problems of a source's settings as sentences in both languages. The setting's name precedes the
// sentence. User input is quoted unchanged.
import type { z } from 'zod';

export type SettingProblem = { readonly en: string; readonly 'zh-CN': string };
export type SettingsLanguage = keyof SettingProblem;

/** Problems that the schema refers to. */
export const settingProblems = {
  address: {
    en: 'must be an absolute http or https address',
    'zh-CN': '须为完整的 http 或 https 地址',
  },
  line: {
    en: 'must be a template line, the address of a feed, or the address of a site',
    'zh-CN': '须为模板行、订阅源地址或网站地址',
  },
  category: {
    en: 'must be the id of a category',
    'zh-CN': '须为类别的标识',
  },
  proxy: {
    en: 'must be the name of a proxy of network.proxies, or none',
    'zh-CN': '须为 network.proxies 中代理的名称，或 none',
  },
  timeZone: {
    en: 'must be an IANA time zone such as Asia/Shanghai',
    'zh-CN': '须为 IANA 时区，如 Asia/Shanghai',
  },
  attribute: { en: 'must be the name of an attribute', 'zh-CN': '须为属性的名称' },
  linkOrTemplate: {
    en: 'give either link or urlTemplate',
    'zh-CN': 'link 与 urlTemplate 须填且只填一个',
  },
  id: {
    en: 'must be lower-case words joined by hyphens',
    'zh-CN': '须为小写单词，以连字符相连',
  },
  language: {
    en: 'must be a BCP 47 tag such as en or zh-CN',
    'zh-CN': '须为 BCP 47 语言标签，如 en 或 zh-CN',
  },
  host: { en: 'must be host or host:port', 'zh-CN': '须为 host 或 host:port' },
  kind: {
    en: 'must be one of feed, web-list, json-list, push',
    'zh-CN': '须为 feed、web-list、json-list、push 之一',
  },
} as const satisfies Readonly<Record<string, SettingProblem>>;

export const unknownSetting = (kind: string): SettingProblem => ({
  en: `unknown setting of a ${kind} source`,
  'zh-CN': '这种来源没有这项设置',
});

const chineseByEnglish = new Map(
  Object.values(settingProblems).map((problem) => [problem.en as string, problem['zh-CN']]),
);

type RawIssue = z.core.$ZodRawIssue;

const types: Readonly<Record<string, SettingProblem>> = {
  string: { en: 'a text', 'zh-CN': '文字' },
  number: { en: 'a number', 'zh-CN': '数字' },
  int: { en: 'a whole number', 'zh-CN': '整数' },
  boolean: { en: 'true or false', 'zh-CN': '布尔值' },
  array: { en: 'a list', 'zh-CN': '列表' },
  object: { en: 'an object', 'zh-CN': '对象' },
};

/** Sentences for schema issues without a message of their own. */
export const describeIssue =
  (language: SettingsLanguage) =>
  (issue: RawIssue): string | undefined => {
    const isEnglish = language === 'en';
    switch (issue.code) {
      case 'invalid_type': {
        if (issue.input === undefined) return isEnglish ? 'is missing' : '没有填写';
        const type = types[issue.expected]?.[language] ?? issue.expected;
        return isEnglish ? `must be ${type}` : `须为${type}`;
      }
      case 'invalid_value': {
        const values = issue.values.map(String).join(isEnglish ? ', ' : '、');
        return isEnglish ? `must be one of ${values}` : `须为 ${values} 之一`;
      }
      case 'too_small':
        if (issue.origin === 'string') return isEnglish ? 'must not be empty' : '不能为空';
        return isEnglish ? `must be at least ${issue.minimum}` : `不能小于 ${issue.minimum}`;
      case 'too_big':
        if (issue.origin === 'string') {
          const max = String(issue.maximum);
          return isEnglish ? `must have at most ${max} characters` : `最多 ${max} 个字符`;
        }
        return isEnglish ? `must be at most ${issue.maximum}` : `不能大于 ${issue.maximum}`;
      default:
        return isEnglish ? undefined : '填写的内容不对';
    }
  };

/** Translates an issue that was reported with `describeIssue(language)`. */
export function translateIssue(issue: z.core.$ZodIssue, language: SettingsLanguage): string {
  if (language === 'en') return issue.message;
  const problem =
    issue.code === 'custom' ? (issue.params?.problem as SettingProblem | undefined) : undefined;
  return problem?.['zh-CN'] ?? chineseByEnglish.get(issue.message) ?? issue.message;
}
