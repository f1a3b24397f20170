// Defines the types of links and of the rules that parse them. A link is a post by its platform's
// id, a short link to resolve, or another page of a platform.
import type { PlatformId } from '../platforms.ts';

export type PostRef = {
  readonly platform: PlatformId;
  /** The platform's own id. */
  readonly id: string;
  /** The kind of post, for platforms that have separate ids for several kinds. */
  readonly type: 'post' | 'answer' | 'article' | 'pin' | 'zvideo' | 'share';
  /** The canonical address of the post. */
  readonly url: string;
};

export type Link =
  | { readonly kind: 'post'; readonly ref: PostRef }
  /** A short link of that platform, to be resolved. */
  | { readonly kind: 'short'; readonly platform: PlatformId; readonly url: string }
  /** Another page of the platform, such as a profile, a search or the front page. */
  | { readonly kind: 'other'; readonly platform: PlatformId };

/** The hosts of a platform and the parser of its addresses. */
export type LinkRules = {
  readonly platform: PlatformId;
  /** Domains that include their subdomains, without `www.`. */
  readonly hosts: readonly string[];
  /** Hosts that match exactly, without their subdomains. */
  readonly exactHosts?: readonly string[];
  /** Hosts on which every address is a redirect. */
  readonly shortHosts: readonly string[];
  /** Whether a path on one of `hosts` is a redirect. */
  readonly isShortPath?: (url: URL) => boolean;
  /** The caller removes `www.` from `url`. */
  read(url: URL): PostRef | null;
};

/** The first group of the first pattern that matches. */
export function firstMatch(text: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const id = pattern.exec(text)?.[1];
    if (id) return id;
  }
  return null;
}

/** The value of the first query field in `names` that matches `pattern`. */
export function queryValue(url: URL, names: readonly string[], pattern: RegExp): string | null {
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value !== null && pattern.test(value)) return value;
  }
  return null;
}

/** A post by its id; null when there is no id. */
export function postRef(
  platform: PlatformId,
  id: string | null,
  urlOf: (id: string) => string,
): PostRef | null {
  return id === null ? null : { platform, type: 'post', id, url: urlOf(id) };
}
