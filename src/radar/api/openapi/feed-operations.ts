// The operations of RSS and JSON Feed. Each feed has one address for each of the two formats.
import { feedQuery } from '../feeds/query-feed.ts';
import { reportNames } from '../feeds/read-report.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { noParameters } from '../routes/parameters.ts';
import type { Operation } from './operation.ts';
import type { PathParameter } from './parameters.ts';

type FeedDescription = {
  /** The address without `.xml` or `.json`. */
  readonly path: string;
  /** Noun of the operation ids. */
  readonly name: string;
  readonly contents: string;
  readonly description: string;
  readonly query?: Operation['query'];
  readonly pathParameter?: PathParameter;
  readonly otherStatuses?: Operation['otherStatuses'];
};

const feedFormats = [
  { ending: 'xml', suffix: '', label: 'RSS', media: 'application/rss+xml', schema: null },
  {
    ending: 'json',
    suffix: 'AsJson',
    label: 'JSON Feed',
    media: 'application/feed+json',
    schema: 'JsonFeed',
  },
] as const;

export const feedOperations = (categories: readonly string[]): readonly Operation[] =>
  describeFeeds(categories).flatMap(
    ({ path, name, contents, description, query, otherStatuses, ...feed }) =>
      feedFormats.map(
        ({ ending, suffix, label, media, schema }): Operation => ({
          ...feed,
          path: `${path}.${ending}`,
          operationId: `read${name}${suffix}`,
          tag: 'feeds',
          summary: `Read ${contents} as ${label}`,
          description,
          query: query ?? noParameters,
          media,
          schema,
          example: null,
          caching: cacheControl.live,
          otherStatuses: otherStatuses ?? [],
        }),
      ),
  );

const reportFeeds = reportNames.map(
  (name): FeedDescription => ({
    path: `/feed/${name}`,
    name: `${name[0]?.toUpperCase()}${name.slice(1)}Feed`,
    contents: `the newest ${name} reports`,
    description:
      'Each entry holds a whole report. A correction changes the entry’s time of modification.',
  }),
);

const describeFeeds = (categories: readonly string[]): readonly FeedDescription[] => [
  {
    path: '/feed',
    name: 'Feed',
    contents: 'the items of a query',
    description:
      'Public items of the last seven days that match all parameters, newest first; without ' +
      'parameters the selected items. The address in the feed has its parameters in the order of ' +
      'their names, without defaults.',
    query: feedQuery(categories),
  },
  {
    path: '/feed/all',
    name: 'FeedOfAll',
    contents: 'all items',
    description: 'The newest public items of the last seven days, selected or not.',
  },
  {
    path: '/feed/hot',
    name: 'HotFeed',
    contents: 'the current ranking',
    description: 'The topics of the latest ranking. An entry is a story with its sources.',
  },
  ...reportFeeds,
  {
    path: '/feed/category/{category}',
    name: 'CategoryFeed',
    contents: 'the selected items of a category',
    description: 'The newest selected items of one category in the last seven days.',
    pathParameter: {
      name: 'category',
      description: 'Identifier of the category.',
      schema: { type: 'string', enum: categories },
      example: categories[0] ?? '',
    },
    otherStatuses: ['404'],
  },
  {
    path: '/feed/source/{id}',
    name: 'SourceFeed',
    contents: 'the items of a source',
    description: 'The newest public items of one source in the last seven days.',
    pathParameter: {
      name: 'id',
      description: 'Identifier of the source, as in the address of its page.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: 'example-news',
    },
    otherStatuses: ['404'],
  },
  {
    path: '/feed/story/{publicId}',
    name: 'StoryFeed',
    contents: 'the reports of a story',
    description:
      'The reports of one event, newest first. For a merged story the response is 308 with the ' +
      'feed of the surviving story.',
    pathParameter: {
      name: 'publicId',
      description: 'Identifier of the story.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
    },
    otherStatuses: ['308', '404'],
  },
];
