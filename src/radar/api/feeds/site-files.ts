// Standard files of a site for programs: robots.txt and llms.txt.

import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { makeResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { markdownResponse } from './markdown.ts';

/** Crawlers may read everything except pages of operators and the endpoint of push sources. */
export function handleRobots({ site }: ApiContext, request: PublicRequest): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const lines = [
    'User-agent: *',
    'Disallow: /admin',
    'Disallow: /api/ingest/',
    'Allow: /',
    '',
    `Sitemap: ${site.url}/sitemap.xml`,
    '',
  ];
  const contentType = 'text/plain; charset=utf-8';
  return makeResponse({ contentType, cacheControl: cacheControl.live, body: lines.join('\n') });
}

/** In the format of llmstxt.org: a title, a summary, and lists of links. */
export function handleLlms(
  { site, categories, labels }: ApiContext,
  request: PublicRequest,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const formatLink = (name: string, path: string, about: string) =>
    `- [${name}](${site.url}${path}): ${about}`;
  const joinLines = (...lines: readonly string[]) => lines.join('\n');
  return markdownResponse(cacheControl.live, [
    `# ${site.name}`,
    '> News of a field from many sources, grouped into stories, ranked, and summarized in ' +
      'daily, weekly and monthly reports. Public, read-only, no key needed.',
    'Titles and summaries are made from third-party sources; each item links to its original.',
    '## For agents',
    joinLines(
      formatLink('Guide', '/api/v1/agent', 'every address in Markdown, and how to answer from it'),
      formatLink('Latest', '/api/v1/agent/latest', 'what is new'),
      formatLink('Hot', '/api/v1/agent/hot', 'the current Top 10'),
      formatLink('Daily', '/api/v1/agent/daily', 'the latest daily report'),
      formatLink('Weekly', '/api/v1/agent/weekly', 'the latest weekly report'),
      formatLink('Monthly', '/api/v1/agent/monthly', 'the latest monthly report'),
      formatLink('Skill', '/SKILL.md', 'how to use both services, in the form that agents install'),
      formatLink('MCP', '/mcp', 'the same content as tools; streamable HTTP, stateless'),
    ),
    '## For programs',
    joinLines(
      formatLink('OpenAPI', '/openapi-v1.json', 'the JSON API'),
      formatLink('RSS', '/feed.xml', 'the selected news (as JSON Feed: /feed.json)'),
      ...categories.map((category) =>
        formatLink(
          `RSS: ${labels[category] ?? category}`,
          `/feed/category/${category}.xml`,
          category,
        ),
      ),
    ),
    '## Optional',
    joinLines(
      formatLink('Snapshot', '/api/v1/selected/snapshot', 'the whole selected set, for a mirror'),
      formatLink('Sitemap', '/sitemap.xml', 'every page'),
    ),
  ]);
}
