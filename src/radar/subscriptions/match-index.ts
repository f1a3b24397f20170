// All news subscriptions in one index: query parts by their first three characters. The folded
// text of an item is traversed once, and only candidates are checked with the contract's rule.
import type { PublicItem } from '../publication/item.ts';
import { foldText } from '../publication/search/fold.ts';
import { matchesParts, searchTextOf } from '../publication/search/match.ts';
import { parseQuery, type SearchPart } from '../publication/search/query.ts';
import type { NewsMatch } from './subscription.ts';

export type IndexedSubscription = {
  readonly id: string;
  readonly match: NewsMatch;
  /** Items that are older are no news for it. */
  readonly createdAt: number;
};

export type MatchIndex = {
  /** Ids of the subscriptions that the item fulfils. */
  matching(item: PublicItem): readonly string[];
  readonly size: number;
};

type FoldedQuery = {
  readonly id: string;
  readonly createdAt: number;
  readonly any: readonly (readonly SearchPart[])[];
  readonly none: readonly (readonly SearchPart[])[];
  readonly categories: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  readonly languages: ReadonlySet<string>;
  readonly needsSelected: boolean;
  readonly minScore: number | null;
};

/** The longest part of a text, which is a candidate only where the whole part stands. */
type IndexedPart = { readonly part: string; readonly query: FoldedQuery };

const KEY_LENGTH = 3;

export function openMatchIndex(subscriptions: readonly IndexedSubscription[]): MatchIndex {
  const byKey = new Map<string, IndexedPart[]>();
  const withoutText: FoldedQuery[] = [];
  const lengths = new Set<number>();
  for (const subscription of subscriptions) {
    const prepared = prepare(subscription);
    if (prepared.any.length === 0) withoutText.push(prepared);
    for (const parts of prepared.any) {
      // The longest part is the rarest.
      const part = parts[0]?.text ?? '';
      const key = part.slice(0, KEY_LENGTH);
      lengths.add(key.length);
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [{ part, query: prepared }]);
      else known.push({ part, query: prepared });
    }
  }
  const keyLengths = [...lengths];
  return {
    size: subscriptions.length,
    matching: (item) => {
      const text = searchTextOf(item);
      const candidates = new Set<FoldedQuery>(withoutText);
      for (const length of keyLengths) {
        for (let at = 0; at + length <= text.length; at += 1) {
          const found = byKey.get(text.slice(at, at + length));
          if (found === undefined) continue;
          for (const { part, query } of found) if (text.startsWith(part, at)) candidates.add(query);
        }
      }
      const matching: string[] = [];
      for (const one of candidates) if (fulfils(one, item, text)) matching.push(one.id);
      return matching;
    },
  };
}

function prepare({ id, match, createdAt }: IndexedSubscription): FoldedQuery {
  return {
    id,
    createdAt,
    any: partsOf(match.any),
    none: partsOf(match.none),
    categories: new Set(match.categories),
    sources: new Set(match.sources.map(foldText)),
    languages: new Set(match.languages),
    needsSelected: match.mode === 'selected',
    minScore: match.minScore,
  };
}

const partsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => {
    const parsed = parseQuery(text);
    return parsed.kind === 'query' ? [parsed.query.parts] : [];
  });

function fulfils(wanted: FoldedQuery, item: PublicItem, text: string): boolean {
  if (item.timelineAt < wanted.createdAt) return false;
  if (!hasFacts(wanted, item)) return false;
  if (wanted.any.length > 0 && !wanted.any.some((parts) => matchesParts(text, parts))) return false;
  return !wanted.none.some((parts) => matchesParts(text, parts));
}

function hasFacts(wanted: FoldedQuery, item: PublicItem): boolean {
  const { categories, sources, languages, needsSelected, minScore } = wanted;
  if (needsSelected && !item.selected) return false;
  if (minScore !== null && (item.score ?? -1) < minScore) return false;
  if (categories.size > 0 && !(item.category !== null && categories.has(item.category))) {
    return false;
  }
  if (sources.size > 0 && !sources.has(foldText(item.sourceName))) return false;
  return languages.size === 0 || languages.has(item.language.split('-')[0] ?? '');
}
