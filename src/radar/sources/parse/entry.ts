// What a reader of any kind yields: entries, parsed and not stored. Every reader (feed, web list,
// JSON list, push) ends in this shape, and nothing after it asks which one it was.
import type { Note } from '../fetch/fetch-warning.ts';

/** Times are RFC 3339 UTC with milliseconds. Texts are Unicode NFC without control characters. */
export type Entry = {
  /** The publisher's own identifier (guid, atom:id, JSON Feed id); null when it gives none. */
  readonly id: string | null;
  /** Absolute, http or https; null when there is none. */
  readonly url: string | null;
  /** Plain text, entities and tags resolved; null when empty. */
  readonly title: string | null;
  /** As the source gives it, HTML allowed; null when absent. */
  readonly summary: string | null;
  /** As the source gives it, HTML allowed; null when absent. */
  readonly content: string | null;
  readonly author: string | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
  /** BCP 47, lower-case primary tag: `en`, `zh-CN`; null when not declared. */
  readonly language: string | null;
};

export type FeedFormat = 'rss' | 'rdf' | 'atom' | 'json' | 'web-list' | 'json-list' | 'push';

export type Reading = {
  readonly format: FeedFormat;
  readonly title: string | null;
  readonly entries: readonly Entry[];
  /** What was odd and survived (wrong encoding declared, XML cut short, …). */
  readonly warnings: readonly Note[];
};
