// Which earlier items could tell the same event: those that share telling terms, found through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import { indexedTerms, type Memory } from '../memory/memory.ts';
import type { Section } from '../memory/shelf.ts';

/** Terms told by more than one title in so many are not followed, unless nothing else is there. */
const leastWeight = 2.2;
const mostTerms = 32;
const mostPerTerm = 600;
/** Looked at for one item in all, the rarest terms first. */
const mostVisited = 2_000;

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
  let left = mostVisited;
  for (const { term, weight } of followed.slice(0, mostTerms)) {
    if (left <= 0) break;
    memory.postings.visit(term, mostPerTerm, (other) => {
      left -= 1;
      if (other !== slot) memory.tally.add(other, weight * weight);
      return true;
    });
  }
  // Another script shares names and figures alone: measured against its own kind it would never
  // be among the first.
  const script = memory.script(slot);
  const [own, others] = [openRanked(), openRanked()];
  memory.tally.drain((other, sum) => {
    (memory.script(other) === script ? own : others).add(other, sum);
  });
  return [...own.first(most, isLive), ...others.first(most / 3, isLive)];
}

const steps = 256;

/** Only what could be among the first is sorted, and only that is asked whether it lives. */
function openRanked() {
  const slots: number[] = [];
  const sums: number[] = [];
  let highest = 0;
  const add = (slot: number, sum: number): void => {
    slots.push(slot);
    sums.push(sum);
    if (sum > highest) highest = sum;
  };
  /** A sum that enough others reach. */
  const barFor = (enough: number): number => {
    if (slots.length <= enough) return 0;
    const counts = new Uint32Array(steps + 1);
    const stepOf = (sum: number) => Math.floor((sum / highest) * steps);
    for (const sum of sums) counts[stepOf(sum)] = (counts[stepOf(sum)] ?? 0) + 1;
    let step = steps;
    for (let reached = counts[step] ?? 0; step > 0 && reached < enough; ) {
      step -= 1;
      reached += counts[step] ?? 0;
    }
    return (step / steps) * highest * (1 - 1e-9);
  };
  const first = (most: number, isLive: (slot: number) => boolean): readonly number[] => {
    const bar = barFor(most * 4);
    const ranked: { readonly other: number; readonly sum: number }[] = [];
    for (let at = 0; at < slots.length; at += 1) {
      const [other, sum] = [slots[at] ?? 0, sums[at] ?? 0];
      if (sum >= bar) ranked.push({ other, sum });
    }
    ranked.sort((a, b) => b.sum - a.sum || b.other - a.other);
    const live: number[] = [];
    for (const { other } of ranked) {
      if (live.length >= most) break;
      if (isLive(other)) live.push(other);
    }
    return live;
  };
  return { add, first };
}
