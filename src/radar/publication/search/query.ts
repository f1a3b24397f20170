// What a reader typed into the search box, as the rule of the feed contract reads it: trimmed,
// 2..200 code points, NFKC, case-folded, split at white space.
import { hasSign } from './characters.ts';
import { foldText } from './fold.ts';

export type SearchPart = {
  /** Folded, without white space, never empty. */
  readonly text: string;
  /**
   * Occurs anywhere, since Han, Kana and Hangul show no word's start. One such sign is enough:
   * `gpt大模型` is found within `chatgpt大模型`. Every other part stands at a word's start.
   */
  readonly isAnywhere: boolean;
};

export type SearchQuery = {
  /** As typed, trimmed: what the envelope repeats and cursors are bound to. */
  readonly text: string;
  /** Every one must occur. The longest first: it fails soonest. */
  readonly parts: readonly SearchPart[];
};

export type ParsedQuery =
  | { readonly kind: 'query'; readonly query: SearchQuery }
  | { readonly kind: 'too_short' | 'too_long' };

const lengthMin = 2;
const lengthMax = 200;
const outerSpace = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** Reads `q`. Lengths are of code points after trimming, before folding. */
export function parseQuery(q: string): ParsedQuery {
  const text = q.replace(outerSpace, '');
  const length = Array.from(text).length;
  if (length < lengthMin) return { kind: 'too_short' };
  if (length > lengthMax) return { kind: 'too_long' };
  const parts = foldText(text)
    .split(/\p{White_Space}+/u)
    .filter((part) => part !== '');
  const unique = [...new Set(parts)].sort((a, b) => b.length - a.length);
  return {
    kind: 'query',
    query: { text, parts: unique.map((part) => ({ text: part, isAnywhere: hasSign(part) })) },
  };
}
