// Texts of the weekly source report in both languages.
import type { SourceWeek } from '../store/notifications/source-week.ts';

const minutes = (ms: number) => Math.round(ms / 60_000);

const countText = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`;

export const sourceReportMessages = {
  en: {
    title: (items: number, sources: number) =>
      `Sources of the week: ${countText(items, 'item', 'items')} from ` +
      countText(sources, 'source', 'sources'),
    line: ({ items, selected, first, medianLagMs, failures }: SourceWeek) =>
      [
        countText(items, 'item', 'items'),
        `${selected} selected`,
        `${first} first to report`,
        ...(medianLagMs === null ? [] : [`${minutes(medianLagMs)} min median lag`]),
        ...(failures === 0 ? [] : [countText(failures, 'failure', 'failures')]),
      ].join(' · '),
    withoutItems: 'Without an item in 30 days',
    withoutSelected: 'Without a selected item in 30 days',
    open: 'Open the sources',
  },
  'zh-CN': {
    title: (items: number, sources: number) => `本周来源：${sources} 个来源共 ${items} 条`,
    line: ({ items, selected, first, medianLagMs, failures }: SourceWeek) =>
      [
        `${items} 条`,
        `精选 ${selected}`,
        `首发 ${first}`,
        ...(medianLagMs === null ? [] : [`中位延迟 ${minutes(medianLagMs)} 分钟`]),
        ...(failures === 0 ? [] : [`失败 ${failures} 次`]),
      ].join(' · '),
    withoutItems: '30 天内没有条目',
    withoutSelected: '30 天内没有精选',
    open: '打开来源',
  },
} as const;
