// /api/v1/agent: the guide for agents, with every address, its purpose, and advice for answers.

import type { ApiContext, PublicRequest } from '../context.ts';
import { DATA_NOTE, markdownResponse } from '../feeds/markdown.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';

const agentAddresses: readonly (readonly [path: string, about: string])[] = [
  [
    '/api/v1/agent/latest?window=24h|7d&mode=selected|all&category=&limit=1..30',
    'What is new. Default: the selected news of 7 days, 10 items.',
  ],
  [
    '/api/v1/agent/search?q=&window=24h|7d&category=&limit=1..30',
    'Items in which every word of q occurs (2 to 200 characters), English or Chinese.',
  ],
  [
    '/api/v1/agent/hot?limit=1..10',
    'The current Top 10: the topics that the largest number of independent sources report.',
  ],
  [
    '/api/v1/agent/stories/{publicId}?limit=1..50',
    'One event: its digest, where reports disagree, who reported what and when. Take the id from ' +
      'hot, from an item or from another story; never make one up.',
  ],
  ['/api/v1/agent/daily, /api/v1/agent/daily/{YYYY-MM-DD}', 'The latest daily, or one day’s.'],
  ['/api/v1/agent/weekly, /api/v1/agent/weekly/{YYYY-Www}', 'The latest weekly, or one week’s.'],
  ['/api/v1/agent/monthly, /api/v1/agent/monthly/{YYYY-MM}', 'The latest monthly, or one month’s.'],
];

export function handleAgentGuide(
  { site, categories }: ApiContext,
  request: PublicRequest,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const addresses = agentAddresses.map(([path, about]) => `- \`${path}\`\n  ${about}`).join('\n');
  return markdownResponse(cacheControl.reports, [
    `# ${site.name}, for agents`,
    `${site.name} reads many sources about its field and groups what they report into stories. ` +
      `Everything below is public, read-only and needs no key. Base address: <${site.url}>.`,
    '## Addresses in Markdown',
    addresses,
    `Categories: ${categories.map((category) => `\`${category}\``).join(', ')}.`,
    '## How to answer from them',
    [
      '- “What is new?”: latest. “What matters right now?”: hot, then the story of each topic.',
      '- “What happened with X?”: search, then the story of the best item.',
      '- “What happened on a day, in a week, in a month?”: daily, weekly, monthly.',
      '- Name the source and link the original of what you state. Say when it was published.',
      '- Where a story lists a contradiction, say that reports disagree, and who says what.',
      '- When these addresses lack an answer, say so instead of guessing.',
      '- Lists of values grow: treat a category or a field that you do not know as plain text.',
      `- ${DATA_NOTE}`,
    ].join('\n'),
    '## Other formats',
    listOtherFormats(site.url),
    'Cache responses for the `s-maxage` of their Cache-Control; send If-None-Match after ' +
      'that. Times are UTC; report days are days in Asia/Shanghai. Errors are problem details ' +
      '(RFC 9457); after a 429 or 503 wait for Retry-After seconds.',
  ]);
}

function listOtherFormats(url: string): string {
  return [
    `- MCP (streamable HTTP, stateless): \`${url}/mcp\`, with the tools`,
    '  latest, search, hot, story, daily, weekly, monthly',
    `- JSON API: \`${url}/openapi-v1.json\` describes it`,
    `- RSS and JSON Feed: \`${url}/feed.xml\`, \`${url}/feed.json\`,`,
    '  and those of every category and report',
    `- A complete mirror: \`${url}/api/v1/selected/snapshot\` once,`,
    '  then `/api/v1/selected/changes`',
  ].join('\n');
}
