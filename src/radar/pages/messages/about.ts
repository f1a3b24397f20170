// Messages of `/about`, in both languages.
import type { SourceCondition } from '../../publication/source-condition.ts';
import type { PageSite } from '../page-context.ts';

const conditions: Record<SourceCondition, string> = {
  current: 'working',
  no_recent_items: 'nothing new lately',
  failing: 'not reachable',
  waiting: 'not fetched yet',
  paused: 'paused',
  gone: 'gone',
};

const en = {
  title: 'About',
  heading: (name: string) => `About ${name}`,
  lead: (name: string) => `What ${name} is, which sources it reads, and the state of each source.`,
  paragraphs: (name: string) => [
    `${name} reads the sources below around the clock, gathers what they report about one event ` +
      'into one story, and publishes daily, weekly and monthly reports.',
    'Titles and summaries are made from what the sources published, and every item links to its ' +
      'original. Where reports disagree, the story shows both sides with their sources. A ' +
      'withdrawn item disappears from every page, feed and API response at once.',
  ],
  sources: 'Sources',
  count: (count: number) => `${count} ${count === 1 ? 'source' : 'sources'}`,
  asOf: 'as of',
  explains:
    'Nothing new lately: the fetches succeed, and nothing was published for a week. ' +
    'Not reachable: several fetches in a row failed, or no fetch has succeeded.',
  unknown:
    'The state of the sources is not known right now, because the database does not respond. ' +
    'The other pages show the last known state.',
  source: 'Source',
  condition: 'State',
  lastSuccess: 'Last success',
  newest: 'Newest item',
  median: 'Delay, median',
  p90: 'Delay, 90 %',
  fortnight: '14 days',
  pushed: 'pushes its items',
  conditions,
  freshness: (days: number) =>
    `Delay: the time from publication to arrival here, over ${days} days, without the first ` +
    'import. 90 %: nine of ten items arrived within this time. The chart shows items per day. ' +
    'A day without items is a thin line.',
  chart: (count: number, days: number) =>
    `${count} ${count === 1 ? 'item' : 'items'} in ${days} days`,
};

export type AboutMessages = typeof en;

const zh: AboutMessages = {
  title: '关于',
  heading: (name) => `关于 ${name}`,
  lead: (name) => `${name} 是什么，读取哪些来源，各来源的状态如何。`,
  paragraphs: (name) => [
    `${name} 全天读取下列来源，把对同一事件的报道归为一个事件，并写成日报、周报和月报。`,
    '标题与摘要根据来源发布的内容生成，每条都附有原文链接。各方说法不一时，' +
      '事件页会写明谁说了什么。撤回的内容会立即从所有页面、订阅和接口中消失。',
  ],
  sources: '来源',
  count: (count) => `${count} 个来源`,
  asOf: '截至',
  explains:
    '近期无更新：读取正常，但一周没有新内容。' +
    '无法访问：连续几个读取周期都未能读到，或从未读到。',
  unknown: '暂时无法得知来源的状态：数据库没有响应。其他页面显示的是最后已知的内容。',
  source: '来源',
  condition: '状态',
  lastSuccess: '最近成功',
  newest: '最新内容',
  median: '延迟中位数',
  p90: '延迟（90%）',
  fortnight: '14 天',
  pushed: '主动推送',
  conditions: {
    current: '正常',
    no_recent_items: '近期无更新',
    failing: '无法访问',
    waiting: '尚未读取',
    paused: '已暂停',
    gone: '已不存在',
  },
  freshness: (days) =>
    `延迟：${days} 天内从发布到收录的时间，不含首次导入。90%：九成的条目在这段时间内收录。` +
    '小图为每天的条数，没有内容的一天是一条细线。',
  chart: (count, days) => `${days} 天内 ${count} 条`,
};

export const aboutMessages = (language: PageSite['language']): AboutMessages =>
  language === 'zh-CN' ? zh : en;
