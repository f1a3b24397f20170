// Routes of feeds, Markdown and files for robots. All of them read only the publication.

import { handleAgentGuide } from '../agents/guide.ts';
import { handleAgentHot } from '../agents/hot.ts';
import { handleAgentLatest, handleAgentSearch } from '../agents/items.ts';
import { handleAgentReport } from '../agents/report.ts';
import { handleAgentStory } from '../agents/story.ts';
import type { PublicRoute } from '../routes.ts';
import { answerFeedStyle } from './feed-style.ts';
import { answerItemFeed, type ItemFeedFormat } from './item-feeds.ts';
import { answerQueryFeed } from './query-feed.ts';
import { reportNames } from './read-report.ts';
import { answerReportFeed } from './report-feeds.ts';
import { answerLlms, answerRobots } from './site-files.ts';
import { answerSitemap, answerSitemapPart } from './sitemap.ts';
import { answerSkill } from './skill-file.ts';
import { answerHotFeed, answerSourceFeed, answerStoryFeed } from './story-feeds.ts';

const formats: readonly ItemFeedFormat[] = ['xml', 'json', 'html'];

export const exitRoutes: readonly PublicRoute[] = [
  { path: '/robots.txt', from: 'read-model', handle: answerRobots },
  { path: '/llms.txt', from: 'read-model', handle: answerLlms },
  { path: '/SKILL.md', from: 'read-model', handle: answerSkill },
  {
    path: '/sitemap.xml',
    from: 'read-model',
    handle: (context, request) => answerSitemap(context, request),
  },
  {
    path: '/sitemap/:file',
    from: 'read-model',
    handle: (context, request) => answerSitemapPart(context, request),
  },
  { path: '/api/v1/agent', from: 'read-model', handle: handleAgentGuide },
  { path: '/api/v1/agent/latest', from: 'read-model', handle: handleAgentLatest },
  { path: '/api/v1/agent/search', from: 'read-model', handle: handleAgentSearch },
  { path: '/api/v1/agent/hot', from: 'read-model', handle: handleAgentHot },
  { path: '/api/v1/agent/stories/:publicId', from: 'read-model', handle: handleAgentStory },
  ...reportNames.flatMap((name): readonly PublicRoute[] => [
    {
      path: `/api/v1/agent/${name}`,
      from: 'read-model',
      handle: (context, request) => handleAgentReport(name, context, request),
    },
    {
      path: `/api/v1/agent/${name}/:key`,
      from: 'read-model',
      handle: (context, request) => handleAgentReport(name, context, request),
    },
    ...formats.map(
      (format): PublicRoute => ({
        path: `/feed/${name}.${format}`,
        from: 'read-model',
        handle: (context, request) => answerReportFeed(name, format, context, request),
      }),
    ),
  ]),
  ...formats.flatMap((format): readonly PublicRoute[] => [
    {
      path: `/feed.${format}`,
      from: 'read-model',
      handle: (context, request) => answerQueryFeed(format, context, request),
    },
    {
      path: `/feed/all.${format}`,
      from: 'read-model',
      handle: (context, request) => answerItemFeed('all', format, context, request),
    },
    {
      path: `/feed/hot.${format}`,
      from: 'read-model',
      handle: (context, request) => answerHotFeed(format, context, request),
    },
  ]),
  { path: '/feed.xsl', from: 'read-model', handle: answerFeedStyle },
  {
    path: '/feed/story/:file',
    from: 'read-model',
    handle: (context, request) => answerStoryFeed(context, request),
  },
  {
    path: '/feed/source/:file',
    from: 'read-model',
    handle: (context, request) => answerSourceFeed(context, request),
  },
  {
    path: '/feed/category/:file',
    from: 'read-model',
    handle: (context, request) => {
      const format = formats.find((one) => request.params.file?.endsWith(`.${one}`)) ?? 'xml';
      return answerItemFeed('category', format, context, request);
    },
  },
];
