// Selects the page's blocks by a weighted vote of the extractors. Extractors make different errors,
// and text that several of them keep is rarely wrong.
import { isHeading, type TextBlock } from './page-text.ts';
import { lettersAndDigits } from './prose.ts';
import type { ExtractedText } from './voters.ts';

/** Shorter blocks occur in many places. They count only beside a longer block. */
const minEssence = 24;
const maxNeighbourDistance = 6;
/** Characters between a short block and its long neighbour. */
const reach = 90;

export type BlockVote = {
  readonly block: TextBlock;
  /** Weight of the extractors that contain the block, as a share of all, 0 to 1. */
  readonly support: number;
};

export function voteOnBlocks(
  blocks: readonly TextBlock[],
  opinions: readonly ExtractedText[],
): BlockVote[] {
  const opinionsInRange = withoutOutliers(opinions);
  const total = opinionsInRange.reduce((sum, o) => sum + o.weight, 0);
  const essences = blocks.map((b) => lettersAndDigits(b.text));
  const supports = blocks.map((_, index) => {
    let support = 0;
    for (const opinion of opinionsInRange) {
      if (containsBlock(opinion, essences, index)) support += opinion.weight;
    }
    return total === 0 ? 0 : support / total;
  });
  return blocks.map((block, index) => {
    const ownSupport = supports[index] ?? 0;
    // Extractors drop headings too often. A heading that one of them keeps takes the support of the
    // next block.
    const lifted = ownSupport > 0 && isHeading(block) ? (supports[index + 1] ?? 0) : 0;
    return { block, support: Math.max(ownSupport, lifted) };
  });
}

function containsBlock(
  opinion: ExtractedText,
  essences: readonly string[],
  index: number,
): boolean {
  const blockEssence = essences[index] ?? '';
  if (blockEssence === '') return false;
  if (blockEssence.length >= minEssence) return opinion.letters.includes(blockEssence);
  return isBeside(opinion, essences, index, -1) || isBeside(opinion, essences, index, 1);
}

/**
 * Whether a short block is next to a long block of the same extractor, in direction `step`. Blocks
 * that this extractor omitted may lie between them.
 */
function isBeside(
  opinion: ExtractedText,
  essences: readonly string[],
  index: number,
  step: -1 | 1,
): boolean {
  const blockEssence = essences[index] ?? '';
  for (
    let at = index + step, distance = 0;
    distance < maxNeighbourDistance;
    at += step, distance++
  ) {
    const other = essences[at];
    if (other === undefined) return false;
    if (other.length < minEssence) continue;
    const position = opinion.letters.indexOf(other);
    if (position === -1) continue;
    const from = step === -1 ? position + other.length : Math.max(0, position - reach);
    const to = step === -1 ? from + reach : position;
    return opinion.letters.slice(from, to).includes(blockEssence);
  }
  return false;
}

/** An extractor that found only a small part of the others' text is ignored. */
function withoutOutliers(opinions: readonly ExtractedText[]): readonly ExtractedText[] {
  const lengths = opinions.map((o) => o.words).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const longOpinions = opinions.filter((o) => o.words >= middle * 0.35);
  return longOpinions.length > 0 ? longOpinions : opinions;
}
