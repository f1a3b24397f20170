// The exits for readers and agents on one screen: feeds, Markdown, and the files that robots ask
// for. All of them read the publication and nothing behind it.

import { handleAgentGuide } from '../agents/guide.ts';
import { handleAgentHot } from '../agents/hot.ts';
import { handleAgentLatest, handleAgentSearch } from '../agents/items.ts';
import { handleAgentReport } from '../agents/report.ts';
import { handleAgentStory } from '../agents/story.ts';
import type { PublicRoute } from '../routes.ts';
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

export const exitRoutes: readonly PublicRoute[] = [
  { path: '/robots.txt', from: 'read-model', answer: answerRobots },
  { path: '/llms.txt', from: 'read-model', answer: answerLlms },
  { path: '/SKILL.md', from: 'read-model', answer: answerSkill },
  {
    path: '/sitemap.xml',
    from: 'read-model',
    answer: (context, asked) => answerSitemap(context, asked),
  },
  {
    path: '/sitemap/:file',
    from: 'read-model',
    answer: (context, asked) => answerSitemapPart(context, asked),
  },
  { path: '/api/v1/agent', from: 'read-model', answer: handleAgentGuide },
  { path: '/api/v1/agent/latest', from: 'read-model', answer: handleAgentLatest },
  { path: '/api/v1/agent/search', from: 'read-model', answer: handleAgentSearch },
  { path: '/api/v1/agent/hot', from: 'read-model', answer: handleAgentHot },
  { path: '/api/v1/agent/stories/:publicId', from: 'read-model', answer: handleAgentStory },
  ...reportNames.flatMap((name): readonly PublicRoute[] => [
    {
      path: `/api/v1/agent/${name}`,
      from: 'read-model',
      answer: (context, asked) => handleAgentReport(name, context, asked),
    },
    {
      path: `/api/v1/agent/${name}/:key`,
      from: 'read-model',
      answer: (context, asked) => handleAgentReport(name, context, asked),
    },
    ...formats.map(
      (format): PublicRoute => ({
        path: `/feed/${name}.${format}`,
        from: 'read-model',
        answer: (context, asked) => answerReportFeed(name, format, context, asked),
      }),
    ),
  ]),
  ...formats.flatMap((format): readonly PublicRoute[] => [
    {
      path: `/feed.${format}`,
      from: 'read-model',
      answer: (context, request) => answerQueryFeed(format, context, request),
    },
    {
      path: `/feed/all.${format}`,
      from: 'read-model',
      answer: (context, request) => answerItemFeed('all', format, context, request),
    },
    {
      path: `/feed/hot.${format}`,
      from: 'read-model',
      answer: (context, request) => answerHotFeed(format, context, request),
    },
  ]),
  { path: '/feed.xsl', from: 'read-model', answer: answerFeedStyle },
  {
    path: '/feed/story/:file',
    from: 'read-model',
    answer: (context, request) => answerStoryFeed(context, request),
  },
  {
    path: '/feed/source/:file',
    from: 'read-model',
    answer: (context, request) => answerSourceFeed(context, request),
  },
  {
    path: '/feed/category/:file',
    from: 'read-model',
    answer: (context, asked) => {
      const format = asked.params.file?.endsWith('.json') ? 'json' : 'xml';
      return answerItemFeed('category', format, context, asked);
    },
  },
];
