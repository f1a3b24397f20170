// The page's blocks that the opinions, weighed, take for the article: extractors err in different
// ways, and what several of them keep is rarely wrong.
import { type Block, isHeading } from './page-text.ts';
import { essence } from './prose.ts';
import type { Opinion } from './voters.ts';

/** Blocks shorter than this are found everywhere: they count only beside a neighbour. */
const minEssence = 24;
const neighboursSeen = 6;
/** Characters between a short block and its long neighbour. */
const reach = 90;

export type Vote = {
  readonly block: Block;
  /** 0 to 1: the weight of the opinions that hold the block, of all. */
  readonly support: number;
};

export function voteOnBlocks(blocks: readonly Block[], opinions: readonly Opinion[]): Vote[] {
  const counted = withoutStrays(opinions);
  const total = counted.reduce((sum, o) => sum + o.weight, 0);
  const essences = blocks.map((b) => essence(b.text));
  const supports = blocks.map((_, index) => {
    let support = 0;
    for (const opinion of counted) {
      if (holds(opinion, essences, index)) support += opinion.weight;
    }
    return total === 0 ? 0 : support / total;
  });
  return blocks.map((block, index) => {
    const own = supports[index] ?? 0;
    // A heading that anyone holds belongs to what follows it: extractors drop headings too easily.
    const lifted = own > 0 && isHeading(block) ? (supports[index + 1] ?? 0) : 0;
    return { block, support: Math.max(own, lifted) };
  });
}

function holds(opinion: Opinion, essences: readonly string[], index: number): boolean {
  const own = essences[index] ?? '';
  if (own === '') return false;
  if (own.length >= minEssence) return opinion.essence.includes(own);
  return isBeside(opinion, essences, index, -1) || isBeside(opinion, essences, index, 1);
}

/**
 * Whether a short block stands next to a long one that the opinion holds too, on the side of
 * `step`: others between them may be ones that the opinion left out.
 */
function isBeside(
  opinion: Opinion,
  essences: readonly string[],
  index: number,
  step: -1 | 1,
): boolean {
  const own = essences[index] ?? '';
  for (let at = index + step, seen = 0; seen < neighboursSeen; at += step, seen++) {
    const other = essences[at];
    if (other === undefined) return false;
    if (other.length < minEssence) continue;
    const found = opinion.essence.indexOf(other);
    if (found === -1) continue;
    const from = step === -1 ? found + other.length : Math.max(0, found - reach);
    const to = step === -1 ? from + reach : found;
    return opinion.essence.slice(from, to).includes(own);
  }
  return false;
}

/** An opinion that found a small part of what the others found has lost its way: not counted. */
function withoutStrays(opinions: readonly Opinion[]): readonly Opinion[] {
  const lengths = opinions.map((o) => o.words).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const kept = opinions.filter((o) => o.words >= middle * 0.35);
  return kept.length > 0 ? kept : opinions;
}
