// A topic's title is in the site's language when one of its reports has this language.
import { expect, test } from 'vitest';
import { emptyReadModel } from './read-model/read-model.ts';
import { topicLead, topicTitle } from './topic-title.ts';

const report = (title: string, language: string, firstParty = false) => ({
  id: title,
  title,
  summary: null,
  sourceName: 'S',
  owner: 'S',
  firstParty,
  at: 0,
  publishedAt: null,
  originalUrl: 'https://s.example/',
  language,
});
const newer = report('A plant opens, in detail', 'en');
const older = report('A plant opens', 'en-GB');
const firstPartyReport = report('We open a plant', 'en', true);
const chinese = report('工厂开业', 'zh');
const en = { language: 'en' } as const;
const zh = { language: 'zh-CN' } as const;
const storyOf = (language: string, ...reports: ReturnType<typeof report>[]) => ({
  title: 'Of the story',
  language,
  reports,
  outdatedIds: [],
});

test.each([
  ['unchanged in the site’s language', 'A', storyOf('en', newer), en, 'A'],
  [
    'the story’s title in the site’s language',
    '工厂',
    storyOf('en', newer, chinese),
    en,
    'Of the story',
  ],
  [
    'the earliest report’s when the story has another language',
    '工厂',
    storyOf('zh', newer, older),
    en,
    older.title,
  ],
  [
    'the first party’s when it has the site’s language',
    '工厂',
    storyOf('zh', newer, firstPartyReport, older),
    en,
    firstPartyReport.title,
  ],
  ['unchanged when no report has the site’s language', '工厂', storyOf('zh', chinese), en, '工厂'],
  ['unchanged without a story', '工厂', null, en, '工厂'],
  [
    'a Chinese report’s for a Chinese site',
    'A plant',
    storyOf('en', newer, chinese),
    zh,
    chinese.title,
  ],
  [
    'one without a replaced figure',
    '裁员',
    { ...storyOf('zh', report('530 jobs go', 'en'), older), outdatedIds: [older.id] },
    en,
    '530 jobs go',
  ],
] as const)('the title of a topic is %s', (_name, title, story, site, expected) => {
  expect(topicTitle({ title }, story, site)).toBe(expected);
});

test.each([
  ['the lead in the site’s language', 'A plant opened.', 'A plant opened.', [newer]],
  ['null beside a title in the site’s language', '工厂开业了。', null, [newer, chinese]],
  [
    'in another language without a title in the site’s language',
    '工厂开业了。',
    '工厂开业了。',
    [chinese],
  ],
] as const)('the lead of a topic is %s', (_name, lead, expected, reports) => {
  const summary = {
    ...storyOf('zh', ...reports),
    id: 's',
    lead,
    sourceCount: reports.length,
    reportCount: reports.length,
    sourceNames: ['S'],
    latestAt: 0,
    contradictions: [],
    revision: null,
  };
  expect(topicLead(emptyReadModel(), summary, en)).toBe(expected);
});
