// The table of all operations of the public API: address, parameters and response. The OpenAPI
// document is generated from it.
import { cacheControl } from '../responses/cache-control.ts';
import { itemsQuery } from '../routes/items.ts';
import { noParameters } from '../routes/parameters.ts';
import { indexQuery, type ReportRouteKind, reportKinds } from '../routes/reports.ts';
import { changesQuery, snapshotQuery } from '../routes/selected.ts';
import { agentOperations } from './agent-operations.ts';
import { monthPattern, weekPattern } from './collect-schemas.ts';
import { exampleNames } from './examples.ts';
import { feedOperations } from './feed-operations.ts';
import type { Operation } from './operation.ts';

/** `categories` are those of this radar. */
export function operationsOf(categories: readonly string[]): readonly Operation[] {
  return [
    listItems(categories),
    hotTopics,
    story,
    snapshot,
    changes,
    ...reportKinds.flatMap(reportOperations),
    ...agentOperations(categories),
    ...feedOperations(categories),
    openApi,
  ];
}

const listItems = (categories: readonly string[]): Operation => ({
  path: '/api/v1/items',
  operationId: 'listItems',
  tag: 'items',
  summary: 'List recent items',
  description:
    'Items of the last day or week, newest first. To follow new items, read pages until a stored ' +
    'id occurs. For a complete copy of the selected set, use the snapshot and its changes, since ' +
    'older items leave this window. A cursor belongs to one query and does not expire by time. ' +
    'When its position has left the window, the response is invalid_cursor.',
  query: itemsQuery(categories),
  schema: 'ItemsPage',
  example: 'ItemsPage',
  caching: cacheControl.items,
  otherStatuses: [],
});

const hotTopics: Operation = {
  path: '/api/v1/hot-topics',
  operationId: 'listHotTopics',
  tag: 'hot topics',
  summary: 'Read the current ranking',
  description:
    'At most ten topics of the latest ranking, by rank. It is normally made every five minutes. ' +
    'After a withdrawal the ranks close up. No topic is added before the next ranking.',
  query: noParameters,
  schema: 'HotTopicList',
  example: 'HotTopicList',
  caching: cacheControl.live,
  otherStatuses: [],
};

const story: Operation = {
  path: '/api/v1/stories/{publicId}',
  operationId: 'getStory',
  tag: 'stories',
  summary: 'Read a story',
  description:
    'One event: its digest, its newest reports, their disagreements, and similar stories. Use ' +
    'only ids from this API: of a hot topic, an item or another story. For a merged story the ' +
    'response is 308 with the address of the surviving story.',
  query: noParameters,
  pathParameter: {
    name: 'publicId',
    description: 'Identifier of the story.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
  },
  schema: 'StoryEnvelope',
  example: 'StoryEnvelope',
  caching: cacheControl.live,
  otherStatuses: ['308', '404'],
};

const snapshot: Operation = {
  path: '/api/v1/selected/snapshot',
  operationId: 'readSelectedSnapshot',
  tag: 'selected set',
  summary: 'Read the whole selected set',
  description:
    'The selected set at the time of the first page, with items of any age, without items that ' +
    'were withdrawn since. Read pages until hasMore is false, then read the changes after ' +
    '`cursor`.',
  query: snapshotQuery,
  schema: 'SnapshotPage',
  example: 'SnapshotPage',
  caching: cacheControl.snapshot,
  otherStatuses: ['409'],
};

const changes: Operation = {
  path: '/api/v1/selected/changes',
  operationId: 'readSelectedChanges',
  tag: 'selected set',
  summary: 'Read the changes of the selected set',
  description:
    'Changes after a cursor in their order, each with the state of its item. Apply all of them, ' +
    'store the new cursor, and repeat at once while hasMore is true. Cursors do not expire by ' +
    'time. Without a cursor, or with one that belongs to no state of this set, the response is ' +
    '409: start again with the snapshot.',
  query: changesQuery,
  schema: 'ChangesPage',
  example: 'ChangesPage',
  caching: cacheControl.live,
  otherStatuses: ['409'],
};

const openApi: Operation = {
  path: '/openapi-v1.json',
  operationId: 'getOpenApi',
  tag: 'description',
  summary: 'Read this document',
  description: 'This OpenAPI 3.1 document, generated from the schemas that validate requests.',
  query: noParameters,
  schema: null,
  example: null,
  caching: cacheControl.reports,
  otherStatuses: [],
};

const reportNouns = {
  dailies: { one: 'daily', Name: 'Daily', schema: { type: 'string', format: 'date' } },
  weeklies: { one: 'weekly', Name: 'Weekly', schema: { type: 'string', pattern: weekPattern } },
  monthlies: { one: 'monthly', Name: 'Monthly', schema: { type: 'string', pattern: monthPattern } },
} as const;

const keyExamples = { date: '2026-11-19', week: '2026-W47', month: '2026-10' } as const;

function reportOperations(kind: ReportRouteKind): readonly Operation[] {
  const { one, Name, schema } = reportNouns[kind.path];
  const sharedFields = { tag: kind.path, query: noParameters } as const;
  const report = {
    ...sharedFields,
    schema: `${Name}Envelope`,
    example: exampleNames[kind.path].report,
  } as const;
  return [
    {
      ...sharedFields,
      path: `/api/v1/${kind.path}`,
      operationId: `list${Name}Reports`,
      summary: `List the ${one} reports`,
      description:
        `The index of ${one} reports, newest first. It changes once per publication and when a ` +
        'report is corrected, so a few requests a day are enough.',
      query: indexQuery(kind),
      schema: `${Name}Index`,
      example: exampleNames[kind.path].index,
      caching: kind.indexCaching,
      otherStatuses: [],
    },
    {
      ...report,
      path: `/api/v1/${kind.path}/latest`,
      operationId: `getLatest${Name}Report`,
      summary: `Read the latest ${one} report`,
      description:
        `The newest ${one} report. For a stable address, read the index with limit=1 ` +
        `and then the ${kind.key} that it names.`,
      caching: kind.path === 'dailies' ? cacheControl.items : cacheControl.reports,
      otherStatuses: ['404'],
    },
    {
      ...report,
      path: `/api/v1/${kind.path}/{${kind.key}}`,
      operationId: `get${Name}Report`,
      summary: `Read one ${one} report`,
      description:
        `The ${one} report of one ${kind.key}. It is never written again, but a correction or a ` +
        'withdrawal can change its text: repeat the request with If-None-Match.',
      pathParameter: {
        name: kind.key,
        description:
          `Key of the report: ${kind.keyForm}. For a ${kind.key} that does not exist, the ` +
          'response is 400.',
        schema,
        example: keyExamples[kind.key],
      },
      caching: cacheControl.reports,
      otherStatuses: ['404'],
    },
  ];
}
