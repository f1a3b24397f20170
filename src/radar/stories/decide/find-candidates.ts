// Which earlier items could tell the same event: those that share telling terms, found through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import type { Memory } from '../memory/memory.ts';

/** Terms told by more than one title in so many are not followed, unless nothing else is there. */
const leastWeight = 2.2;
const mostTerms = 32;
/** So many are followed however common they are. */
const always = 6;
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
  const { postings, tally } = memory;
  let left = mostVisited;
  for (const { term, weight } of followedTerms(memory, slot)) {
    if (left <= 0) break;
    const value = weight * weight;
    postings.visit(term, mostPerTerm, (other) => {
      left -= 1;
      if (other !== slot) tally.add(other, value);
      return true;
    });
  }
  // Another script shares names and figures alone: measured against its own kind it would never
  // be among the first.
  const script = memory.script(slot);
  const [own, others]: [Ranked, Ranked] = [[], []];
  tally.drain((other, sum) => {
    (memory.script(other) === script ? own : others).push({ slot: other, sum });
  });
  return [...first(own, most, isLive), ...first(others, most / 3, isLive)];
}

type Followed = { readonly term: number; readonly weight: number };

/** The most telling terms, the rarest first. */
function followedTerms(memory: Memory, slot: number): readonly Followed[] {
  const best: Followed[] = [];
  for (const term of memory.indexedTerms(slot)) {
    const weight = memory.titleWeight(term);
    const isBefore = (other: Followed | undefined) =>
      other === undefined ||
      weight > other.weight ||
      (weight === other.weight && term < other.term);
    if (best.length === mostTerms) {
      if (!isBefore(best[mostTerms - 1])) continue;
      best.pop();
    }
    let at = best.length;
    while (at > 0 && isBefore(best[at - 1])) at -= 1;
    best.splice(at, 0, { term, weight });
  }
  return best.filter(({ weight }, at) => at < always || weight >= leastWeight);
}

type Ranked = { readonly slot: number; readonly sum: number }[];

/** Only what could be among the first is sorted, and only that is asked whether it lives. */
function first(ranked: Ranked, most: number, isLive: (slot: number) => boolean): readonly number[] {
  const among = likeliest(ranked, most * 4);
  among.sort((a, b) => b.sum - a.sum || b.slot - a.slot);
  const live: number[] = [];
  for (const { slot } of among) {
    if (live.length >= most) break;
    if (isLive(slot)) live.push(slot);
  }
  return live;
}

/** A doubling has sixty-four steps: the first bits of a 32-bit float, without the last. */
const stepBits = 17;

/** At least the `enough` greatest, and whatever lies in one step with the least of them. */
function likeliest(ranked: Ranked, enough: number): Ranked {
  if (ranked.length <= enough) return ranked;
  const sums = Float32Array.from(ranked, ({ sum }) => sum);
  const steps = new Uint32Array(sums.buffer).map((bits) => bits >>> stepBits);
  let [least, greatest] = [steps[0] ?? 0, 0];
  for (const step of steps) {
    if (step < least) least = step;
    if (step > greatest) greatest = step;
  }
  const counts = new Uint32Array(greatest - least + 1);
  for (const step of steps) counts[step - least] = (counts[step - least] ?? 0) + 1;
  let bar = greatest;
  for (let reached = counts[bar - least] ?? 0; bar > least && reached < enough; ) {
    bar -= 1;
    reached += counts[bar - least] ?? 0;
  }
  return ranked.filter((_, at) => (steps[at] ?? 0) >= bar);
}
