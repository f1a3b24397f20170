// Finds earlier items that may report the same event: items that share rare terms, through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import type { TermIndex } from '../index/term-index.ts';

/** Terms below this weight are not followed, unless the item has few others. */
const minWeight = 2.2;
/** The rarest terms, up to this number, are followed even if they are common. */
const alwaysFollowed = 6;
const maxPerTerm = 600;

export type SearchEffort = {
  /** The number of followed terms, rarest first. */
  readonly terms: number;
  /** Limit of visited items for one item. */
  readonly visits: number;
  /** The number of candidates in the item's language. */
  readonly candidates: number;
};

export type CandidateFilter = {
  /** Slots below this one are not considered. */
  readonly first: number;
  isAllowed(slot: number): boolean;
};

/**
 * At most `candidates` slots in the item's language and a third of this number in other languages,
 * likeliest first.
 */
export function findCandidates(
  index: TermIndex,
  slot: number,
  { terms: maxTerms, visits, candidates }: SearchEffort,
  { first, isAllowed }: CandidateFilter,
): readonly number[] {
  const { counter, facts, rankings, weights } = index;
  const { rarest, own, others } = rankings;
  rarest.begin(maxTerms);
  // Of equally rare terms the older one is followed first. The ranking prefers greater numbers, so
  // terms are negated.
  for (const term of index.indexedTerms(slot)) {
    if (counter.hasOther(term, slot)) rarest.add(-term, weights.of(term));
  }
  let remaining = visits;
  for (const [rank, negated] of rarest.take().entries()) {
    const weight = weights.of(-negated);
    if (remaining <= 0 || (rank >= alwaysFollowed && weight < minWeight)) break;
    remaining -= counter.addTerm(-negated, maxPerTerm, weight * weight, first);
  }
  // Items of another language share only names, so they are ranked separately.
  const language = facts.language(slot);
  const counts = { own: candidates, others: Math.floor(candidates / 3) };
  // Only the likeliest slots are checked by `isAllowed`, so more than needed are selected first.
  own.begin(counts.own * 4);
  others.begin(counts.others * 4);
  counter.drain((other, sum) => {
    if (other !== slot) (facts.language(other) === language ? own : others).add(other, sum);
  });
  return [
    ...own.take().filter(isAllowed).slice(0, counts.own),
    ...others.take().filter(isAllowed).slice(0, counts.others),
  ];
}
