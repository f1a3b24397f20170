// The page's blocks that the opinions, weighed, take for the article. Agreement of extractors that
// err in different ways beats the best of them alone (Bevendorff et al., SIGIR 2023).
import type { Block } from './page-text.ts';
import { essence } from './prose.ts';
import type { Opinion } from './voters.ts';

/** Blocks shorter than this are found everywhere: they count only beside a neighbour. */
const minEssence = 24;

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

function isHeading(block: Block): boolean {
  return block.element.closest('h2, h3, h4') !== null;
}

function holds(opinion: Opinion, essences: readonly string[], index: number): boolean {
  const own = essences[index] ?? '';
  if (own === '') return false;
  if (own.length >= minEssence) return opinion.essence.includes(own);
  const before = essences[index - 1] ?? '';
  const after = essences[index + 1] ?? '';
  return (
    opinion.essence.includes(before.slice(-minEssence) + own) ||
    opinion.essence.includes(own + after.slice(0, minEssence))
  );
}

/** An opinion that found a small part of what the others found has lost its way: not counted. */
function withoutStrays(opinions: readonly Opinion[]): readonly Opinion[] {
  const lengths = opinions.map((o) => o.words).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const kept = opinions.filter((o) => o.words >= middle * 0.35);
  return kept.length > 0 ? kept : opinions;
}
