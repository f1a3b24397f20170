// Routes of feeds, Markdown and files for robots. All of them read only the publication.

import { handleAgentGuide } from '../agents/guide.ts';
import { handleAgentHot } from '../agents/hot.ts';
import { handleAgentLatest, handleAgentSearch } from '../agents/items.ts';
import { handleAgentReport } from '../agents/report.ts';
import { handleAgentStory } from '../agents/story.ts';
import type { PublicRoute } from '../routes.ts';
import { handleFeedStyle } from './feed-style.ts';
import { handleItemFeed, type ItemFeedFormat } from './item-feeds.ts';
import { handleQueryFeed } from './query-feed.ts';
import { reportNames } from './read-report.ts';
import { handleReportFeed } from './report-feeds.ts';
import { handleLlms, handleRobots } from './site-files.ts';
import { handleSitemap, handleSitemapPart } from './sitemap.ts';
import { handleSkill } from './skill-file.ts';
import { handleHotFeed, handleSourceFeed, handleStoryFeed } from './story-feeds.ts';

const feedFormats: readonly ItemFeedFormat[] = ['xml', 'json', 'html'];

export const feedRoutes: readonly PublicRoute[] = [
  { path: '/robots.txt', from: 'read-model', handle: handleRobots },
  { path: '/llms.txt', from: 'read-model', handle: handleLlms },
  { path: '/SKILL.md', from: 'read-model', handle: handleSkill },
  {
    path: '/sitemap.xml',
    from: 'read-model',
    handle: (context, request) => handleSitemap(context, request),
  },
  {
    path: '/sitemap/:file',
    from: 'read-model',
    handle: (context, request) => handleSitemapPart(context, request),
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
    ...feedFormats.map(
      (format): PublicRoute => ({
        path: `/feed/${name}.${format}`,
        from: 'read-model',
        handle: (context, request) => handleReportFeed(name, format, context, request),
      }),
    ),
  ]),
  ...feedFormats.flatMap((format): readonly PublicRoute[] => [
    {
      path: `/feed.${format}`,
      from: 'read-model',
      handle: (context, request) => handleQueryFeed(format, context, request),
    },
    {
      path: `/feed/all.${format}`,
      from: 'read-model',
      handle: (context, request) => handleItemFeed('all', format, context, request),
    },
    {
      path: `/feed/hot.${format}`,
      from: 'read-model',
      handle: (context, request) => handleHotFeed(format, context, request),
    },
  ]),
  { path: '/feed.xsl', from: 'read-model', handle: handleFeedStyle },
  {
    path: '/feed/story/:file',
    from: 'read-model',
    handle: (context, request) => handleStoryFeed(context, request),
  },
  {
    path: '/feed/source/:file',
    from: 'read-model',
    handle: (context, request) => handleSourceFeed(context, request),
  },
  {
    path: '/feed/category/:file',
    from: 'read-model',
    handle: (context, request) => {
      const format =
        feedFormats.find((candidate) => request.params.file?.endsWith(`.${candidate}`)) ?? 'xml';
      return handleItemFeed('category', format, context, request);
    },
  },
];
