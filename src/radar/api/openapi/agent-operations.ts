// The operations below /api/v1/agent, which return the content of JSON operations as Markdown.
import { agentHotQuery } from '../agents/hot.ts';
import { agentLatestQuery, agentSearchQuery } from '../agents/items.ts';
import { agentStoryQuery } from '../agents/story.ts';
import { reportNames } from '../feeds/read-report.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { noParameters } from '../routes/parameters.ts';
import { monthPattern, weekPattern } from './collect-schemas.ts';
import type { Operation } from './operation.ts';

const sharedFields = {
  tag: 'agents',
  media: 'text/markdown',
  schema: null,
  example: null,
  otherStatuses: [],
} as const;

export function agentOperations(categories: readonly string[]): readonly Operation[] {
  return [
    {
      ...sharedFields,
      path: '/api/v1/agent',
      operationId: 'readAgentGuide',
      summary: 'Read the guide for agents',
      description: 'Every address for agents, its purpose, and advice for answers.',
      query: noParameters,
      caching: cacheControl.reports,
    },
    {
      ...sharedFields,
      path: '/api/v1/agent/latest',
      operationId: 'readLatestForAgents',
      summary: 'Read recent items as Markdown',
      description: 'Items of the last day or week, newest first. Third-party text is fenced.',
      query: agentLatestQuery(categories),
      caching: cacheControl.items,
    },
    {
      ...sharedFields,
      path: '/api/v1/agent/search',
      operationId: 'searchForAgents',
      summary: 'Search recent items, as Markdown',
      description: 'Items in which every word occurs, newest first, by the rule of /api/v1/items.',
      query: agentSearchQuery(categories),
      caching: cacheControl.items,
    },
    {
      ...sharedFields,
      path: '/api/v1/agent/hot',
      operationId: 'readHotForAgents',
      summary: 'Read the current ranking as Markdown',
      description: 'At most ten topics of the latest ranking, each with the address of its story.',
      query: agentHotQuery,
      caching: cacheControl.live,
    },
    {
      ...sharedFields,
      path: '/api/v1/agent/stories/{publicId}',
      operationId: 'readStoryForAgents',
      summary: 'Read a story as Markdown',
      description:
        'One event with its digest, its disagreements and its reports. For a merged story the ' +
        'response is 308 with the address of the surviving story.',
      query: agentStoryQuery,
      pathParameter: {
        name: 'publicId',
        description: 'Identifier of the story.',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
        example: '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
      },
      caching: cacheControl.live,
      otherStatuses: ['308', '404'],
    },
    ...reportNames.flatMap(reportOperations),
  ];
}

const keyParameters = {
  daily: { schema: { type: 'string', format: 'date' }, example: '2026-11-19' },
  weekly: { schema: { type: 'string', pattern: weekPattern }, example: '2026-W47' },
  monthly: { schema: { type: 'string', pattern: monthPattern }, example: '2026-10' },
} as const;

function reportOperations(name: keyof typeof keyParameters): readonly Operation[] {
  const capitalizedName = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const report = {
    ...sharedFields,
    query: noParameters,
    caching: cacheControl.live,
    otherStatuses: ['404'],
  } as const;
  return [
    {
      ...report,
      path: `/api/v1/agent/${name}`,
      operationId: `readLatest${capitalizedName}ForAgents`,
      summary: `Read the latest ${name} report as Markdown`,
      description: `The newest ${name} report with its sections and the originals of its entries.`,
    },
    {
      ...report,
      path: `/api/v1/agent/${name}/{key}`,
      operationId: `read${capitalizedName}ForAgents`,
      summary: `Read one ${name} report as Markdown`,
      description: `The ${name} report of a key that the index of reports names.`,
      pathParameter: { name: 'key', description: 'Key of the report.', ...keyParameters[name] },
    },
  ];
}
