// Finds earlier items that may report the same event: items that share rare terms, through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import type { TermIndex } from '../index/term-index.ts';

/** Terms below this weight are not followed, unless the item has few others. */
const minWeight = 2.2;
/** This many terms are followed, however common they are. */
const always = 6;
const maxPerTerm = 600;

export type SearchEffort = {
  /** The number of followed terms, rarest first. */
  readonly terms: number;
  /** Limit of visited items for one item. */
  readonly visits: number;
  /** The number of candidates in the item's script. */
  readonly candidates: number;
};

export type CandidateFilter = {
  /** Slots below this one are not considered. */
  readonly first: number;
  isAllowed(slot: number): boolean;
};

/**
 * At most `candidates` slots in the item's script and a third of this number in other scripts,
 * likeliest first.
 */
export function findCandidates(
  index: TermIndex,
  slot: number,
  { terms: maxTerms, visits, candidates }: SearchEffort,
  { first, isAllowed }: CandidateFilter,
): readonly number[] {
  const { counter, rankings } = index;
  const { terms, weights, count } = followedTerms(index, slot, maxTerms);
  let remaining = visits;
  for (let index = 0; index < count && remaining > 0; index += 1) {
    const weight = weights[index] ?? 0;
    remaining -= counter.addTerm(terms[index] ?? 0, maxPerTerm, weight * weight, first);
  }
  // Items of another script share only names and figures, so they have a list of their own.
  const script = index.script(slot);
  const { own, others } = rankings;
  counter.drain((other, sum) => {
    if (other !== slot) (index.script(other) === script ? own : others).add(other, sum);
  });
  return [...own.takeFirst(candidates, isAllowed), ...others.takeFirst(candidates / 3, isAllowed)];
}

/** The `count` rarest terms. */
function followedTerms(index: TermIndex, slot: number, maxTerms: number) {
  const terms = new Int32Array(maxTerms);
  const weights = new Float64Array(maxTerms);
  let count = 0;
  for (const term of index.indexedTerms(slot)) {
    if (!index.counter.hasOther(term, slot)) continue;
    const weight = index.weight(term);
    let at = count;
    const isBefore = (other: number) =>
      weight > (weights[other] ?? 0) || (weight === weights[other] && term < (terms[other] ?? 0));
    if (count < maxTerms) count += 1;
    else if (isBefore(maxTerms - 1)) at -= 1;
    else continue;
    for (; at > 0 && isBefore(at - 1); at -= 1) {
      terms[at] = terms[at - 1] ?? 0;
      weights[at] = weights[at - 1] ?? 0;
    }
    terms[at] = term;
    weights[at] = weight;
  }
  while (count > always && (weights[count - 1] ?? 0) < minWeight) count -= 1;
  return { terms, weights, count };
}
