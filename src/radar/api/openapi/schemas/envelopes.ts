// Envelopes of responses (feed contract, "Envelopes") and the problem of errors.
import { z } from 'zod';
import { codes } from '../../../../kernel/errors/codes.ts';
import { countSchema, itemId, openEnumSchema, schemaVersion, timeSchema } from './values.ts';

const token = (description: string) =>
  z.string().meta({ description, pattern: '^[A-Za-z0-9._-]{1,1024}$' });

const fields = openEnumSchema('Set of fields of each item.', ['default', 'minimal']);
const hasMore = z.boolean().describe('True when a further page exists; exact.');

export function itemsPage(item: z.ZodType) {
  return z
    .object({
      schemaVersion,
      query: z
        .object({
          mode: openEnumSchema('Selected or all items.', ['selected', 'all']),
          category: z.string().nullable().describe('Requested category; null for all.'),
          window: openEnumSchema('Requested length of time.', ['24h', '7d']),
          q: z.string().nullable().describe('Search text, trimmed; null without a search.'),
          by: openEnumSchema('Time by which the items are sorted.', ['timeline', 'published']),
          ordering: openEnumSchema('Order of the items.', ['timelineDesc', 'publishedAtDesc']),
        })
        .describe('The interpreted query.'),
      items: z.array(item).describe('The items, newest first.'),
      page: z
        .object({
          count: countSchema('Number of items in this response.'),
          hasMore,
          nextCursor: token(
            'Cursor of the next page; null exactly when hasMore is false.',
          ).nullable(),
        })
        .describe('Position of this page.'),
    })
    .describe('One page of recent items.');
}

export function hotTopicList(topic: z.ZodType) {
  return z
    .object({
      schemaVersion,
      count: countSchema('Number of topics in this response.'),
      rankedAt: timeSchema('Time of the ranking; null before the first one.').nullable(),
      items: z.array(topic).max(10).describe('The topics by rank.'),
    })
    .describe('The latest ranking.');
}

export const storyEnvelope = (story: z.ZodType) =>
  z.object({ schemaVersion, story }).describe('One story.');

export const reportIndex = (entry: z.ZodType) =>
  z
    .object({
      schemaVersion,
      count: countSchema('Number of entries in this response.'),
      items: z.array(entry).describe('The reports, newest first.'),
    })
    .describe('An index of reports.');

export const reportEnvelope = (report: z.ZodType) =>
  z.object({ schemaVersion, report }).describe('One report.');

export function snapshotPage(item: z.ZodType, minimal: z.ZodType) {
  return z
    .object({
      schemaVersion,
      asOf: timeSchema('Time of the snapshot, equal on all its pages.'),
      fields,
      cursor: token('Cursor for the changes after the snapshot, equal on all its pages.'),
      count: countSchema('Number of items in this response.'),
      totalCount: countSchema('Number of items of the whole snapshot.'),
      hasMore,
      nextPage: token('Cursor of the next page; null exactly when hasMore is false.').nullable(),
      items: z.array(z.union([item, minimal])).describe('The items of this page.'),
    })
    .describe('A page of the selected set, frozen at one moment.');
}

export function changesPage(upsert: z.ZodType, remove: z.ZodType) {
  return z
    .object({
      schemaVersion,
      fields,
      cursor: token('Cursor for later changes, also when nothing has changed.'),
      count: countSchema('Number of changes in this response.'),
      hasMore,
      changes: z.array(z.union([upsert, remove])).describe('The changes in their order.'),
    })
    .describe('Changes of the selected set.');
}

const changedAt = timeSchema('Time of the change.');

export const upsertOf = (item: z.ZodType, minimal: z.ZodType) =>
  z
    .object({ op: z.literal('upsert'), changedAt, item: z.union([item, minimal]) })
    .describe('Store this item and replace an earlier state of it.');

export const removal = z
  .object({ op: z.literal('remove'), changedAt, id: itemId('Identifier of the item to delete.') })
  .describe('Delete this item.');

const problemCodes = Object.keys(codes);

export const problem = z
  .object({
    type: z.string().meta({
      description: 'Address of a page about this kind of problem.',
      format: 'uri-reference',
    }),
    title: z.string().describe('The kind of problem.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().describe('Description of this occurrence.'),
    instance: z.string().meta({
      description: 'Path of the request.',
      format: 'uri-reference',
    }),
    code: openEnumSchema('Error code for programs.', problemCodes),
    requestId: z
      .string()
      .min(1)
      .describe('Identifier for questions to the operator; also X-Request-Id.'),
    retryAfter: z
      .int()
      .min(1)
      .max(120)
      .optional()
      .describe('Minimum seconds before a retry; also Retry-After.'),
  })
  .describe('A problem (RFC 9457).');
