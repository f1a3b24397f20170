// Validates a pushed batch of entries. One invalid row makes the whole batch invalid. Contract: the
// feed contract, `POST /api/ingest/items`.
import { z } from 'zod';
import { foldWhitespace, stripControl } from '../../../kernel/text/text.ts';
import { parseWireTime, toWireTime } from '../../../kernel/time/calendar.ts';
import { absoluteUrl, canonicalUrl } from '../../../kernel/url/url.ts';
import type { ParsedEntry } from '../parse/entry.ts';

const BATCH_MAX = 50;
const PROBLEMS_MAX = 10;

const textSchema = (max: number) => z.string().max(max, `must have at most ${max} characters`);
const oneLine = (max: number) =>
  textSchema(max).transform((text) => foldWhitespace(stripControl(text)));
const prose = (max: number) => textSchema(max).transform((text) => stripControl(text).trim());

const rowSchema = z.strictObject({
  url: textSchema(4_000).refine(
    (url) => /^https?:\/\//i.test(url) && absoluteUrl(url, '') !== null,
    'must be an absolute http or https address',
  ),
  title: oneLine(1_000).refine((title) => title !== '', 'must not be empty'),
  summary: prose(20_000).nullish(),
  content: prose(400_000).nullish(),
  author: oneLine(200).nullish(),
  publishedAt: z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).nullish(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 tag such as en or zh-CN')
    .nullish(),
});

const batchSchema = z.strictObject({
  source: z.string(),
  items: z.array(rowSchema).min(1, 'must have at least one item'),
});

export type PushedBatch =
  | { readonly kind: 'batch'; readonly source: string; readonly entries: readonly ParsedEntry[] }
  | { readonly kind: 'too_many' }
  /** One line per problem, with row and field: `items[3].title: must not be empty`. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** `json` is the parsed body of the request. */
export function parsePushedBatch(json: unknown): PushedBatch {
  if (countOf(json) > BATCH_MAX) return { kind: 'too_many' };
  const result = batchSchema.safeParse(json);
  if (!result.success) {
    return invalidBatch(result.error.issues.flatMap((issue) => linesOf(issue)));
  }
  const { source, items } = result.data;
  const repeatedProblems = findRepeatedAddresses(items.map((item) => item.url));
  if (repeatedProblems.length > 0) return invalidBatch(repeatedProblems);
  return { kind: 'batch', source, entries: items.map(toEntry) };
}

function countOf(json: unknown): number {
  const items = typeof json === 'object' && json !== null && 'items' in json ? json.items : null;
  return Array.isArray(items) ? items.length : 0;
}

function invalidBatch(problems: readonly string[]): PushedBatch {
  const moreCount = problems.length - PROBLEMS_MAX;
  const listedProblems = problems.slice(0, PROBLEMS_MAX);
  return {
    kind: 'invalid',
    problems: moreCount > 0 ? [...listedProblems, `and ${moreCount} more`] : listedProblems,
  };
}

function linesOf(issue: z.core.$ZodIssue): readonly string[] {
  const at = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${at === '' ? '' : `${at}.`}${key}: unknown field`);
  }
  if (issue.code === 'invalid_type') {
    const expected = `must be ${/^[aeo]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    return [`${at || 'body'}: ${expected}`];
  }
  return [`${at || 'body'}: ${issue.message}`];
}

/** `items[3].title` */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** Returns one problem for each row that repeats the address of an earlier row. */
function findRepeatedAddresses(urls: readonly string[]): readonly string[] {
  const firstIndexes = new Map<string, number>();
  return urls.flatMap((url, index) => {
    const key = canonicalUrl(url) ?? url;
    const earlierIndex = firstIndexes.get(key);
    firstIndexes.set(key, earlierIndex ?? index);
    return earlierIndex === undefined
      ? []
      : [`items[${index}].url: repeats the address of items[${earlierIndex}]`];
  });
}

function toEntry(row: z.output<typeof rowSchema>): ParsedEntry {
  const at = row.publishedAt == null ? null : parseWireTime(row.publishedAt);
  return {
    id: null,
    url: absoluteUrl(row.url, ''),
    title: row.title,
    summary: row.summary || null,
    content: row.content || null,
    author: row.author || null,
    publishedAt: at === null ? null : toWireTime(at),
    updatedAt: null,
    language: row.language ?? null,
  };
}
