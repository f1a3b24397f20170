// From an entry to what is stored of it: its identity within the source, its address, a date that
// can be believed, and a hash by which an identical republication is recognised. Pure.
import { createHash } from 'node:crypto';
import { plainText } from '../../../kernel/text/text.ts';
import { parseWireTime } from '../../../kernel/time/calendar.ts';
import { canonicalUrl } from '../../../kernel/url/url.ts';
import type { Entry } from '../parse/entry.ts';

export type Draft = {
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
};

/** Begins the key of an entry without an address: its content, so that it is found again. */
const NO_ADDRESS = 'entry:';
/** No news on the web is older than the web; an earlier date is a mistake (1970, 0001). */
const EARLIEST = Date.UTC(1991, 7, 6);
const TITLE_MAX = 1_000;
const SUMMARY_MAX = 20_000;
const CONTENT_MAX = 400_000;
const KEY_MAX = 500;

/** Null when nothing of the entry could be shown: neither an address nor a word. */
function toDraft(entry: Entry, sourceUrl: string | null): Draft | null {
  const title = cut(entry.title ?? '', TITLE_MAX);
  const summary = cut(entry.summary ?? '', SUMMARY_MAX);
  const content = cut(entry.content ?? '', CONTENT_MAX);
  const text = [title, plainText(summary), plainText(content)];
  if (entry.url === null && text.every((part) => part === '')) return null;
  const url = entry.url ?? sourceUrl;
  if (url === null) return null;
  const canonical = entry.url === null ? null : canonicalUrl(entry.url);
  // By the canonical address: trackers that change with every reading are no edit.
  const contentHash = hash([...text, canonical ?? entry.url ?? '']);
  return {
    entryKey: shortKey(clean(entry.id ?? '') || (canonical ?? contentHash)),
    url,
    canonicalUrl: canonical ?? `${NO_ADDRESS}${hash([sourceUrl ?? '', contentHash])}`,
    title,
    summary,
    content,
    author: entry.author === null ? null : cut(entry.author, 200),
    language: entry.language === null ? null : cut(entry.language, 35),
    publishedAt: believable(entry.publishedAt ?? entry.updatedAt),
    contentHash,
  };
}

function believable(time: string | null): number | null {
  const at = time === null ? null : parseWireTime(time);
  return at !== null && at >= EARLIEST ? at : null;
}

const shortKey = (key: string) => (key.length <= KEY_MAX ? key : hash([key]));

const hash = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** At most `max` UTF-16 units, never half a character. */
const cut = (text: string, max: number) => clean(text.slice(0, max));

/** PostgreSQL takes neither NUL nor half a character. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '').trim();

/**
 * A reading's drafts, first of each key and of each content: a feed that repeats itself, under the
 * same id or another, means one entry. `detailed` has what an entry's own page adds: that is
 * stored, but an edit is an edit of what the list says.
 */
export function toDrafts(
  entries: readonly Entry[],
  sourceUrl: string | null,
  detailed: ReadonlyMap<Entry, Entry> = new Map(),
): readonly Draft[] {
  const drafts = new Map<string, Draft>();
  const said = new Set<string>();
  for (const entry of entries) {
    const draft = toDraft(entry, sourceUrl);
    if (!draft || drafts.has(draft.entryKey) || said.has(draft.contentHash)) continue;
    said.add(draft.contentHash);
    const whole = detailed.get(entry);
    const more = whole ? toDraft(whole, sourceUrl) : null;
    const { entryKey, contentHash } = draft;
    drafts.set(entryKey, more ? { ...more, entryKey, contentHash } : draft);
  }
  return [...drafts.values()];
}
