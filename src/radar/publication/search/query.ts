// Parses the text of the search box as the feed contract defines: trimmed, 2..200 code points,
// NFKC, case-folded, split at white space.
import { classOf, hasSign, space } from './characters.ts';
import { foldText } from './fold.ts';

export type SearchPart = {
  /** Folded, without white space, never empty. */
  readonly text: string;
  /**
   * True: the part may occur anywhere, because Han, Kana and Hangul have no word boundaries. One
   * such character is enough: `gpt大模型` matches inside `chatgpt大模型`. Other parts match only at
   * the start of a word.
   */
  readonly matchesInsideWords: boolean;
};

export type TextQuery = {
  /** The trimmed text of the reader. The response repeats it, and cursors are bound to it. */
  readonly text: string;
  /** All parts must occur. The longest part is first, because the fewest items contain it. */
  readonly parts: readonly SearchPart[];
};

export type ParsedQuery =
  | { readonly kind: 'query'; readonly query: TextQuery }
  | { readonly kind: 'too_short' | 'too_long' };

const LENGTH_MIN = 2;
const LENGTH_MAX = 200;

/** The length of `q` is counted in code points after trimming, before folding. */
export function parseQuery(q: string): ParsedQuery {
  const text = trimSpace(q);
  const length = Array.from(text).length;
  if (length < LENGTH_MIN) return { kind: 'too_short' };
  if (length > LENGTH_MAX) return { kind: 'too_long' };
  const parts = foldText(text)
    .split(/\p{White_Space}+/u)
    .filter((part) => part !== '');
  const unique = [...new Set(parts)].sort((a, b) => b.length - a.length);
  return {
    kind: 'query',
    query: {
      text,
      parts: unique.map((part) => ({ text: part, matchesInsideWords: hasSign(part) })),
    },
  };
}

/**
 * Trims Unicode white space, of which `trim` covers only a part. The function is a loop, because a
 * pattern that ends in `+$` took eight seconds for 40 KB of spaces.
 */
function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && classOf(text.charCodeAt(from)) === space) from += 1;
  while (to > from && classOf(text.charCodeAt(to - 1)) === space) to -= 1;
  return text.slice(from, to);
}
