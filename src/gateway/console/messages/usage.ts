// Messages of the usage page outside of its table, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  thisMonth: 'This month',
  lastMonth: 'Last month',
  period: 'Period',
  view: 'Group by',
  callsIn: (calls: number, days: number) =>
    `${calls === 1 ? 'call' : 'calls'} in ${days} ${days === 1 ? 'day' : 'days'}`,
  spentIn: (days: number) => `in ${days} ${days === 1 ? 'day' : 'days'}`,
  eachWeek: 'each bar is one week, Monday to Sunday',
  /** The accessible name of a chart; `chartTitle` contains its total. */
  chartText: (chartTitle: string) => `${chartTitle}, bar by bar`,
  failed: 'Failed, and not charged',
  others: (groups: number) => `${groups} others`,
  downloadDaily: 'Download as CSV, by day',
};

export type UsageMessages = typeof en;

const zh: UsageMessages = {
  thisMonth: '本月',
  lastMonth: '上月',
  period: '时间',
  view: '分组方式',
  callsIn: (_calls, days) => `次，${days} 天内`,
  spentIn: (days) => `${days} 天内`,
  eachWeek: '每根柱为一周，从周一起',
  chartText: (chartTitle) => `${chartTitle}，逐段柱形图`,
  failed: '失败，未收费',
  others: (groups) => `其他 ${groups} 项`,
  downloadDaily: '按日下载',
};

export const usageMessages = (language: Language): UsageMessages => (language === 'en' ? en : zh);
