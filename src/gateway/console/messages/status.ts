// Messages of the public status page, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  status: 'Status',
  about:
    'Whether each capability works now, and how many of its calls succeeded, over all accounts. ' +
    'A call that fails costs nothing.',
  allWork: 'Every capability that is set up works.',
  someFail: (names: string) => `Does not work now: ${names}.`,
  comma: ', ',
  now: 'Now',
  today: 'Today',
  days: (count: number) => `${count} days`,
  few: 'too few calls',
  asOf: 'As of',
  countedAs: 'Days are in Asia/Shanghai time. A call whose link has no content counts as failed.',
};

const zh: typeof en = {
  status: '运行状态',
  about: '各项能力现在是否正常，以及全部账号的调用有多少成功。失败的调用不收费。',
  allWork: '所有已配置的能力均正常。',
  someFail: (names) => `目前不可用：${names}。`,
  comma: '、',
  now: '现在',
  today: '今天',
  days: (count) => `${count} 天`,
  few: '调用太少',
  asOf: '数据截至',
  countedAs: '按北京时间计日。链接无内容的调用计为失败。',
};

export const statusMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
