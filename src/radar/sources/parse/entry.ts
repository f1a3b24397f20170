// The result of every parser (feed, web list, JSON list, push): parsed entries that are not stored
// yet. Later steps do not depend on the source's kind.
import type { FetchWarning } from '../fetch/fetch-warning.ts';

/** Times are RFC 3339 UTC with milliseconds. Texts are Unicode NFC without control characters. */
export type ParsedEntry = {
  /** The publisher's identifier (guid, atom:id, JSON Feed id); null when absent. */
  readonly id: string | null;
  /** Absolute http or https address; null when absent. */
  readonly url: string | null;
  /** Plain text with entities and tags resolved; null when empty. */
  readonly title: string | null;
  /** The source's own text, HTML allowed; null when absent. */
  readonly summary: string | null;
  /** The source's own text, HTML allowed; null when absent. */
  readonly content: string | null;
  readonly author: string | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
  /** BCP 47, lower-case primary tag: `en`, `zh-CN`; null when not declared. */
  readonly language: string | null;
};

export type FeedFormat = 'rss' | 'rdf' | 'atom' | 'json' | 'web-list' | 'json-list' | 'push';

export type ParsedFeed = {
  readonly format: FeedFormat;
  readonly title: string | null;
  readonly entries: readonly ParsedEntry[];
  /** Tolerated irregularities, such as a wrong encoding declaration or truncated XML. */
  readonly warnings: readonly FetchWarning[];
};
