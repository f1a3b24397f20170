// Indexes all news subscriptions: the key of a query part is its first three characters. The
// folded text of an item is traversed once, and only candidates are checked with all conditions.
import { primaryLanguage } from '../../kernel/text/primary-language.ts';
import type { PublicItem } from '../publication/item.ts';
import { isWordStart } from '../publication/search/characters.ts';
import { foldText } from '../publication/search/fold.ts';
import { matchesParts, searchTextOf } from '../publication/search/match.ts';
import { parseQuery, type SearchPart } from '../publication/search/query.ts';
import type { NewsMatch } from './subscription.ts';

export type IndexedSubscription = {
  readonly id: string;
  readonly match: NewsMatch;
  /** Items from before this time do not match. */
  readonly createdAt: number;
};

export type MatchIndex = {
  /** Ids of the subscriptions that match the item. */
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

/**
 * The longest part of a query's text, and all queries with this part. These queries are candidates
 * only for items that contain the whole part.
 */
type IndexedPart = { readonly part: SearchPart; readonly queries: FoldedQuery[] };

/** The values that all queries compare, derived once per item. */
type ItemFacts = {
  readonly item: PublicItem;
  readonly text: string;
  readonly source: string;
  readonly language: string;
};

const KEY_LENGTH = 3;

export function openMatchIndex(subscriptions: readonly IndexedSubscription[]): MatchIndex {
  const foldedQueries = subscriptions.map(foldQuery);
  const parts = indexParts(foldedQueries);
  const otherQueries = indexQueriesWithoutText(foldedQueries.filter(({ any }) => any.length === 0));
  return {
    size: subscriptions.length,
    matching: (item) => {
      const facts: ItemFacts = {
        item,
        text: searchTextOf(item),
        source: foldText(item.sourceName),
        language: primaryLanguage(item.language),
      };
      const candidates = new Set<FoldedQuery>();
      for (const { queries } of parts.findPartsIn(facts.text)) {
        for (const query of queries) candidates.add(query);
      }
      for (const query of otherQueries.bySource.get(facts.source) ?? []) candidates.add(query);
      for (const query of otherQueries.byCategory.get(item.category ?? '') ?? [])
        candidates.add(query);
      for (const query of otherQueries.unindexedQueries) candidates.add(query);
      const matching: string[] = [];
      for (const candidate of candidates)
        if (matchesFilters(candidate, facts)) matching.push(candidate.id);
      return matching;
    },
  };
}

/** Queries with the same part share one entry, so the part is compared once. */
function indexParts(queries: readonly FoldedQuery[]) {
  const byPart = new Map<string, IndexedPart>();
  for (const query of queries) {
    for (const [part] of query.any) {
      // The longest part of a query is its first part and usually its rarest.
      if (part === undefined) continue;
      const existing = byPart.get(part.text);
      if (existing === undefined) byPart.set(part.text, { part, queries: [query] });
      else existing.queries.push(query);
    }
  }
  const byKey = Map.groupBy(byPart.values(), ({ part }) => part.text.slice(0, KEY_LENGTH));
  const lengths = [...new Set([...byKey.keys()].map((key) => key.length))];
  return {
    findPartsIn: (text: string): ReadonlySet<IndexedPart> => {
      const foundParts = new Set<IndexedPart>();
      for (const length of lengths) {
        for (let index = 0; index + length <= text.length; index += 1) {
          for (const indexed of byKey.get(text.slice(index, index + length)) ?? []) {
            const { text: partText, matchesInsideWords } = indexed.part;
            if (!text.startsWith(partText, index)) continue;
            if (matchesInsideWords || isWordStart(text, index)) foundParts.add(indexed);
          }
        }
      }
      return foundParts;
    },
  };
}

/**
 * Indexes queries without texts by source, or by category when they name no source.
 * `unindexedQueries` name neither.
 */
function indexQueriesWithoutText(queries: readonly FoldedQuery[]) {
  const bySource = new Map<string, FoldedQuery[]>();
  const byCategory = new Map<string, FoldedQuery[]>();
  const unindexedQueries: FoldedQuery[] = [];
  const addQuery = (
    map: Map<string, FoldedQuery[]>,
    keys: Iterable<string>,
    query: FoldedQuery,
  ) => {
    for (const key of keys) {
      const existing = map.get(key);
      if (existing === undefined) map.set(key, [query]);
      else existing.push(query);
    }
  };
  for (const query of queries) {
    if (query.sources.size > 0) addQuery(bySource, query.sources, query);
    else if (query.categories.size > 0) addQuery(byCategory, query.categories, query);
    else unindexedQueries.push(query);
  }
  return { bySource, byCategory, unindexedQueries };
}

function foldQuery({ id, match, createdAt }: IndexedSubscription): FoldedQuery {
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

function matchesFilters(query: FoldedQuery, facts: ItemFacts): boolean {
  const { text } = facts;
  if (facts.item.timelineAt < query.createdAt) return false;
  if (!matchesFields(query, facts)) return false;
  if (query.any.length > 0 && !query.any.some((parts) => matchesParts(text, parts))) return false;
  return !query.none.some((parts) => matchesParts(text, parts));
}

function matchesFields(query: FoldedQuery, { item, source, language }: ItemFacts): boolean {
  const { categories, sources, languages, needsSelected, minScore } = query;
  if (needsSelected && !item.selected) return false;
  // As in the feed, 0 includes items without a score.
  if (minScore !== null && minScore > 0 && (item.score ?? -1) < minScore) return false;
  if (categories.size > 0 && !(item.category !== null && categories.has(item.category))) {
    return false;
  }
  if (sources.size > 0 && !sources.has(source)) return false;
  return languages.size === 0 || languages.has(language);
}
