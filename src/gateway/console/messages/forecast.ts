// Messages of the expected spending, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'At the pace of the last 7 days',
  aDay: 'A day',
  lasts: 'The balance lasts',
  days: (count: number, day: string) =>
    `about ${count} ${count === 1 ? 'day' : 'days'}, until ${day}`,
  lessThanDay: 'less than a day',
  moreThanYear: 'more than a year',
  month: (month: string) => `By the end of ${month}`,
  soFar: (amount: string) => `${amount} so far`,
};

const zh: typeof en = {
  title: '按最近 7 天的速度',
  aDay: '每天',
  lasts: '余额可用',
  days: (count, day) => `约 ${count} 天，到 ${day}`,
  lessThanDay: '不到一天',
  moreThanYear: '一年以上',
  month: (month) => `到${month}底`,
  soFar: (amount) => `目前 ${amount}`,
};

export const forecastMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
