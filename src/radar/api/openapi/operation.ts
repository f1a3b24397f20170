// One operation of the public API: its address, its parameters, and its response.
import type { z } from 'zod';
import type { SchemaName } from './collect-schemas.ts';
import type { ExampleName } from './examples.ts';
import type { PathParameter } from './parameters.ts';

export type Operation = {
  readonly path: string;
  readonly operationId: string;
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  readonly query: z.ZodObject;
  readonly pathParameter?: PathParameter;
  /** JSON when absent. Other media have no example. */
  readonly media?: 'text/markdown' | 'application/rss+xml' | 'application/feed+json';
  /** Schema of the body; null: any object, or text where `media` is not JSON. */
  readonly schema: SchemaName | null;
  readonly example: ExampleName | null;
  readonly caching: string;
  readonly otherStatuses: readonly ('308' | '404' | '409')[];
};

export const tags = {
  items: 'Recent items.',
  'hot topics': 'The stories with most coverage at present.',
  stories: 'Events of the real world with their coverage.',
  'selected set': 'For mirrors: a snapshot once, then its changes.',
  dailies: 'A report each day at 08:00 Asia/Shanghai.',
  weeklies: 'A report each Monday at 10:00 Asia/Shanghai.',
  monthlies: 'A report on the 1st of each month at 10:30 Asia/Shanghai.',
  agents: 'The same content as Markdown, for agents.',
  feeds: 'The same content as RSS and JSON Feed, for feed readers.',
  description: 'The OpenAPI document.',
} as const;

export type TagName = keyof typeof tags;
