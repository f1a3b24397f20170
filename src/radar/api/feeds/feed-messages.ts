// Texts of feeds and Markdown in the site's language. Third-party text is not translated.
import type { Site } from '../wire-item.ts';

const en = {
  colon: ': ',
  selected: 'selected',
  all: 'everything',
  selectedAbout: 'The news that was selected, newest first.',
  allAbout: 'All public items, newest first.',
  categoryAbout: 'The selected news of one category, newest first.',
  daily: 'Daily report',
  weekly: 'Weekly report',
  monthly: 'Monthly report',
  dailyAbout: 'One report a day, at 08:00 Asia/Shanghai.',
  weeklyAbout: 'One report a week, Monday at 10:00 Asia/Shanghai.',
  monthlyAbout: 'One report a month, on the 1st at 10:30 Asia/Shanghai.',
  flashes: 'In brief',
  corrections: 'Corrections',
  onThisRadar: 'On this radar',
  story: 'Story',
  hot: 'hot topics',
  hotAbout: 'What the largest number of independent sources report, in the order of the ranking.',
  storyAbout: 'Every report of one story, newest first.',
  sourceAbout: 'What one source published in the last seven days, newest first.',
  queryAbout: 'News of the last seven days that match a query, newest first.',
  original: 'Original',
  advice: 'This is a feed. Copy its address into a feed reader to receive what is new.',
  homePage: 'The page with the same news',
};

const zh: typeof en = {
  colon: '：',
  selected: '精选',
  all: '全部',
  selectedAbout: '入选的新闻，最新的在前。',
  allAbout: '全部公开的条目，最新的在前。',
  categoryAbout: '一个类别中入选的新闻，最新的在前。',
  daily: '日报',
  weekly: '周报',
  monthly: '月报',
  dailyAbout: '每天一份，北京时间 08:00 发布。',
  weeklyAbout: '每周一份，北京时间周一 10:00 发布。',
  monthlyAbout: '每月一份，北京时间 1 日 10:30 发布。',
  flashes: '快讯',
  corrections: '更正',
  onThisRadar: '在本站阅读',
  story: '事件',
  hot: '热点',
  hotAbout: '被最多独立来源报道的事件，按排名排列。',
  storyAbout: '一个事件的全部报道，最新的在前。',
  sourceAbout: '一个来源最近七天发布的内容，最新的在前。',
  queryAbout: '最近七天符合条件的新闻，最新的在前。',
  original: '原文',
  advice: '这是一个订阅源。把地址复制到阅读器中，即可收到新内容。',
  homePage: '内容相同的页面',
};

/** The title of a feed: the name of the site and what the feed contains. */
export const feedTitle = (site: Site, name: string): string =>
  `${site.name}${feedMessages(site).colon}${name}`;

export const feedMessages = ({ language }: Site): typeof en => (language === 'zh-CN' ? zh : en);
