// Envelopes of responses (feed contract, "Envelopes") and the problem of errors.
import { z } from 'zod';
import { codes } from '../../../../kernel/errors/codes.ts';
import { count, itemId, open, schemaVersion, time } from './values.ts';

const token = (description: string) =>
  z.string().meta({ description, pattern: '^[A-Za-z0-9._-]{1,1024}$' });

const fields = open('Which fields the items have.', ['default', 'minimal']);
const hasMore = z.boolean().describe('Whether there is more; exact.');

export function itemsPage(item: z.ZodType) {
  return z
    .object({
      schemaVersion,
      query: z
        .object({
          mode: open('Which items.', ['selected', 'all']),
          category: z.string().nullable().describe('The category asked for; null for all.'),
          window: open('How far back.', ['24h', '7d']),
          q: z.string().nullable().describe('The words searched for, trimmed; null without.'),
          by: open('Which time sorts.', ['timeline', 'published']),
          ordering: open('How the items are sorted.', ['timelineDesc', 'publishedAtDesc']),
        })
        .describe('The question as it was understood.'),
      items: z.array(item).describe('The items, newest first.'),
      page: z
        .object({
          count: count('Items in this answer.'),
          hasMore,
          nextCursor: token('For the next page; null exactly when hasMore is false.').nullable(),
        })
        .describe('Where this page stands.'),
    })
    .describe('One page of recent items.');
}

export function hotTopicList(topic: z.ZodType) {
  return z
    .object({
      schemaVersion,
      count: count('Topics in this answer.'),
      rankedAt: time('When the ranking was made; null before the first one.').nullable(),
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
      count: count('Entries in this answer.'),
      items: z.array(entry).describe('The reports, newest first.'),
    })
    .describe('An index of reports.');

export const reportEnvelope = (report: z.ZodType) =>
  z.object({ schemaVersion, report }).describe('One report.');

export function snapshotPage(item: z.ZodType, minimal: z.ZodType) {
  return z
    .object({
      schemaVersion,
      asOf: time('When the snapshot was taken: the time of its first page.'),
      fields,
      cursor: token('Where to go on with the changes: the same on every page.'),
      count: count('Items in this answer.'),
      totalCount: count('Items of the whole snapshot.'),
      hasMore,
      nextPage: token('For the next page; null exactly when hasMore is false.').nullable(),
      items: z.array(z.union([item, minimal])).describe('The items of this page.'),
    })
    .describe('A page of the selected set, frozen at one moment.');
}

export function changesPage(upsert: z.ZodType, remove: z.ZodType) {
  return z
    .object({
      schemaVersion,
      fields,
      cursor: token('Where to go on; also when nothing has changed.'),
      count: count('Changes in this answer.'),
      hasMore,
      changes: z.array(z.union([upsert, remove])).describe('The changes in their order.'),
    })
    .describe('What has changed in the selected set.');
}

const changedAt = time('When it changed.');

export const upsertOf = (item: z.ZodType, minimal: z.ZodType) =>
  z
    .object({ op: z.literal('upsert'), changedAt, item: z.union([item, minimal]) })
    .describe('Take this item in, in place of what you have of it.');

export const removal = z
  .object({ op: z.literal('remove'), changedAt, id: itemId('The item to let go.') })
  .describe('Let this item go.');

const problemCodes = Object.keys(codes);

export const problem = z
  .object({
    type: z.string().meta({
      description: 'Address of a page about this kind of problem.',
      format: 'uri-reference',
    }),
    title: z.string().describe('The kind of problem.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().describe('What is wrong this time.'),
    instance: z.string().meta({
      description: 'Path of the request.',
      format: 'uri-reference',
    }),
    code: open('The kind of problem, for programs.', problemCodes),
    requestId: z.string().min(1).describe('To quote when asking about it; also X-Request-Id.'),
    retryAfter: z
      .int()
      .min(1)
      .max(120)
      .optional()
      .describe('Seconds to wait at least; also Retry-After.'),
  })
  .describe('What went wrong (RFC 9457).');
