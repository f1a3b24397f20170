// The exits for readers and agents on one screen: feeds, Markdown, and the files that robots ask
// for. All of them read the publication and nothing behind it.

import { answerAgentGuide } from '../agents/guide.ts';
import { answerAgentHot } from '../agents/hot.ts';
import { answerAgentLatest, answerAgentSearch } from '../agents/items.ts';
import { answerAgentReport } from '../agents/report.ts';
import { answerAgentStory } from '../agents/story.ts';
import type { Route } from '../routes.ts';
import { answerFeedStyle } from './feed-style.ts';
import { answerItemFeed, type FeedFormat } from './item-feeds.ts';
import { answerQueryFeed } from './query-feed.ts';
import { reportNames } from './read-report.ts';
import { answerReportFeed } from './report-feeds.ts';
import { answerLlms, answerRobots } from './site-files.ts';
import { answerSitemap, answerSitemapPart } from './sitemap.ts';
import { answerSkill } from './skill-file.ts';
import { answerHotFeed, answerSourceFeed, answerStoryFeed } from './story-feeds.ts';

const formats: readonly FeedFormat[] = ['xml', 'json'];

export const exitRoutes: readonly Route[] = [
  { path: '/robots.txt', from: 'edition', answer: answerRobots },
  { path: '/llms.txt', from: 'edition', answer: answerLlms },
  { path: '/SKILL.md', from: 'edition', answer: answerSkill },
  {
    path: '/sitemap.xml',
    from: 'edition',
    answer: (context, asked) => answerSitemap(context, asked),
  },
  {
    path: '/sitemap/:file',
    from: 'edition',
    answer: (context, asked) => answerSitemapPart(context, asked),
  },
  { path: '/api/v1/agent', from: 'edition', answer: answerAgentGuide },
  { path: '/api/v1/agent/latest', from: 'edition', answer: answerAgentLatest },
  { path: '/api/v1/agent/search', from: 'edition', answer: answerAgentSearch },
  { path: '/api/v1/agent/hot', from: 'edition', answer: answerAgentHot },
  { path: '/api/v1/agent/stories/:publicId', from: 'edition', answer: answerAgentStory },
  ...reportNames.flatMap((name): readonly Route[] => [
    {
      path: `/api/v1/agent/${name}`,
      from: 'edition',
      answer: (context, asked) => answerAgentReport(name, context, asked),
    },
    {
      path: `/api/v1/agent/${name}/:key`,
      from: 'edition',
      answer: (context, asked) => answerAgentReport(name, context, asked),
    },
    ...formats.map(
      (format): Route => ({
        path: `/feed/${name}.${format}`,
        from: 'edition',
        answer: (context, asked) => answerReportFeed(name, format, context, asked),
      }),
    ),
  ]),
  ...formats.flatMap((format): readonly Route[] => [
    {
      path: `/feed.${format}`,
      from: 'edition',
      answer: (context, request) => answerQueryFeed(format, context, request),
    },
    {
      path: `/feed/all.${format}`,
      from: 'edition',
      answer: (context, request) => answerItemFeed('all', format, context, request),
    },
    {
      path: `/feed/hot.${format}`,
      from: 'edition',
      answer: (context, request) => answerHotFeed(format, context, request),
    },
  ]),
  { path: '/feed.xsl', from: 'edition', answer: answerFeedStyle },
  {
    path: '/feed/story/:file',
    from: 'edition',
    answer: (context, request) => answerStoryFeed(context, request),
  },
  {
    path: '/feed/source/:file',
    from: 'edition',
    answer: (context, request) => answerSourceFeed(context, request),
  },
  {
    path: '/feed/category/:file',
    from: 'edition',
    answer: (context, asked) => {
      const format = asked.params.file?.endsWith('.json') ? 'json' : 'xml';
      return answerItemFeed('category', format, context, asked);
    },
  },
];
