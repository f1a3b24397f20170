// Which earlier items could tell the same event: those that share telling terms, found through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import { indexedTerms, type Memory } from '../memory/memory.ts';
import type { Section } from '../memory/shelf.ts';

/** Terms told by more than one title in so many are not followed, unless nothing else is there. */
const leastWeight = 2.2;
const mostTerms = 48;
const mostPerTerm = 600;

/** Slots of at most `most` items, the likeliest first; `isLive` filters. */
export function findCandidates(
  memory: Memory,
  slot: number,
  most: number,
  isLive: (slot: number) => boolean,
): readonly number[] {
  const list = (at: number, section: Section) => memory.terms(at, section);
  const weighed = [...indexedTerms(list, slot)].map((term) => ({
    term,
    weight: memory.titleWeight(term),
  }));
  weighed.sort((a, b) => b.weight - a.weight || a.term - b.term);
  const followed = weighed.filter(({ weight }, at) => at < 6 || weight >= leastWeight);
  for (const { term, weight } of followed.slice(0, mostTerms)) {
    memory.postings.visit(term, mostPerTerm, (other) => {
      if (other !== slot) memory.tally.add(other, weight * weight);
      return true;
    });
  }
  const found: Ranked[] = [];
  memory.tally.drain((other, sum) => found.push({ other, sum }));
  // Another script shares names and figures alone: measured against its own kind it would never
  // be among the first.
  const script = memory.script(slot);
  const own = found.filter(({ other }) => memory.script(other) === script);
  const others = found.filter(({ other }) => memory.script(other) !== script);
  return [...likeliest(own, most, isLive), ...likeliest(others, most / 3, isLive)];
}

type Ranked = { readonly other: number; readonly sum: number };

/** Only what could be among the first is sorted, and only that is asked whether it lives. */
function likeliest(found: readonly Ranked[], most: number, isLive: (slot: number) => boolean) {
  const sums = Float64Array.from(found, ({ sum }) => sum).sort();
  let from = sums[Math.max(0, sums.length - most * 4)] ?? 0;
  if (sums.length <= most * 4) from = 0;
  const ranked = found.filter(({ sum }) => sum >= from);
  ranked.sort((a, b) => b.sum - a.sum || b.other - a.other);
  const live: number[] = [];
  for (const { other } of ranked) {
    if (live.length >= most) break;
    if (isLive(other)) live.push(other);
  }
  return live;
}
