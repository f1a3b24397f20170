// Converts an entry to an item draft: key within the source, address, plausible date, and a content
// hash that detects identical republications. Pure.
import { createHash } from 'node:crypto';
import { hasPrivateHost } from '../../../kernel/net/address-rules.ts';
import { plainText } from '../../../kernel/text/text.ts';
import { parseWireTime } from '../../../kernel/time/calendar.ts';
import { canonicalUrl } from '../../../kernel/url/url.ts';
import type { ParsedEntry } from '../parse/entry.ts';

export type ItemDraft = {
  readonly entryKey: string;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly title: string;
  readonly summary: string;
  readonly content: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly publishedAt: number | null;
  readonly contentHash: string;
  /** A hash of title, summary and content. It identifies an item whose address changed. */
  readonly textHash: string;
};

/** Prefix of `canonicalUrl` for an entry without an address. A hash of the content follows. */
const NO_ADDRESS_PREFIX = 'entry:';
/** The day of the first web page. Earlier dates, such as 1970 or 0001, are mistakes. */
const EARLIEST_TIME = Date.UTC(1991, 7, 6);
// Lengths in UTF-16 units.
const TITLE_MAX = 1_000;
const SUMMARY_MAX = 20_000;
const CONTENT_MAX = 400_000;
const AUTHOR_MAX = 200;
const LANGUAGE_MAX = 35;
const KEY_MAX = 500;

/**
 * Null when the entry has neither an address nor text, or when an entry without an address belongs
 * to a source without one.
 */
function toDraft(parsedEntry: ParsedEntry, sourceUrl: string | null): ItemDraft | null {
  const entry = { ...parsedEntry, url: publishableUrl(parsedEntry.url, sourceUrl) };
  const title = cutText(entry.title ?? '', TITLE_MAX);
  const summary = cutText(entry.summary ?? '', SUMMARY_MAX);
  const content = cutText(entry.content ?? '', CONTENT_MAX);
  const text = storedTextOf({ title, summary, content });
  if (entry.url === null && text.every((part) => part === '')) return null;
  const url = entry.url ?? sourceUrl;
  if (url === null) return null;
  const canonicalAddress = entry.url === null ? null : canonicalUrl(entry.url);
  // The hash uses the canonical address, because changed tracking parameters are not an edit.
  const contentHash = hash([...text, canonicalAddress ?? entry.url ?? '']);
  return {
    entryKey: shortKey(toStorableText(entry.id ?? '') || (canonicalAddress ?? contentHash)),
    url,
    canonicalUrl: canonicalAddress ?? `${NO_ADDRESS_PREFIX}${hash([sourceUrl ?? '', contentHash])}`,
    title,
    summary,
    content,
    author: entry.author === null ? null : cutText(entry.author, AUTHOR_MAX),
    language: entry.language === null ? null : cutText(entry.language, LANGUAGE_MAX),
    publishedAt: plausibleTime(entry.publishedAt ?? entry.updatedAt),
    contentHash,
    textHash: hash(text),
  };
}

/** A link to a private address is published only for a source that has a private address. */
function publishableUrl(url: string | null, sourceUrl: string | null): string | null {
  if (url === null || sourceUrl === null || !hasPrivateHost(url)) return url;
  return hasPrivateHost(sourceUrl) ? url : null;
}

type StoredText = Pick<ItemDraft, 'title' | 'summary' | 'content'>;

const storedTextOf = ({ title, summary, content }: StoredText) => [
  title,
  plainText(summary),
  plainText(content),
];

/** The value of `ItemDraft.textHash` for a stored item. */
export const textHashOf = (item: StoredText): string => hash(storedTextOf(item));

function plausibleTime(time: string | null): number | null {
  const at = time === null ? null : parseWireTime(time);
  return at !== null && at >= EARLIEST_TIME ? at : null;
}

const shortKey = (key: string) => (key.length <= KEY_MAX ? key : hash([key]));

const hash = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** At most `max` UTF-16 units, without a split surrogate pair. */
const cutText = (text: string, max: number) => toStorableText(text.slice(0, max));

/** PostgreSQL refuses NUL and lone surrogates. */
const toStorableText = (text: string) => text.toWellFormed().replaceAll('\0', '').trim();

/**
 * Converts the entries of one fetch. Feeds repeat entries, so later entries with the same key or
 * content are left out. `completedEntries` maps an entry to the same entry completed from its own
 * page. The completed text is stored with the content hash of the uncompleted entry, because later
 * fetches compare this hash.
 */
export function toDrafts(
  entries: readonly ParsedEntry[],
  sourceUrl: string | null,
  completedEntries: ReadonlyMap<ParsedEntry, ParsedEntry> = new Map(),
): readonly ItemDraft[] {
  const drafts = new Map<string, ItemDraft>();
  const seenHashes = new Set<string>();
  for (const entry of entries) {
    const draft = toDraft(entry, sourceUrl);
    if (!draft || drafts.has(draft.entryKey) || seenHashes.has(draft.contentHash)) continue;
    seenHashes.add(draft.contentHash);
    const completedEntry = completedEntries.get(entry);
    const completedDraft = completedEntry ? toDraft(completedEntry, sourceUrl) : null;
    const { entryKey, contentHash } = draft;
    drafts.set(entryKey, completedDraft ? { ...completedDraft, entryKey, contentHash } : draft);
  }
  return [...drafts.values()];
}
