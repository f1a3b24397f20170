// Selects the page's blocks by a weighted vote of the extractors. Extractors make different errors,
// and text that several of them keep is rarely wrong.
import { isHeading, type TextBlock } from './page-text.ts';
import { lettersAndDigits } from './prose.ts';
import type { ExtractedText } from './voters.ts';

/** Minimum length of a distinctive block. A shorter block counts only next to a longer block. */
const DISTINCTIVE_LENGTH_MIN = 24;
const NEIGHBOUR_DISTANCE_MAX = 6;
/** Characters between a short block and its long neighbour. */
const NEIGHBOUR_CHARACTERS_MAX = 90;

export type BlockVote = {
  readonly block: TextBlock;
  /** Weight of the extractors that contain the block, as a share of all, 0 to 1. */
  readonly support: number;
};

export function voteOnBlocks(
  blocks: readonly TextBlock[],
  opinions: readonly ExtractedText[],
): BlockVote[] {
  const opinionsInRange = removeOutliers(opinions);
  const total = opinionsInRange.reduce((sum, opinion) => sum + opinion.weight, 0);
  const lettersOfBlocks = blocks.map((block) => lettersAndDigits(block.text));
  const ownSupports = blocks.map((_, index) => {
    let support = 0;
    for (const opinion of opinionsInRange) {
      if (containsBlock(opinion, lettersOfBlocks, index)) support += opinion.weight;
    }
    return total === 0 ? 0 : support / total;
  });
  return blocks.map((block, index) => {
    const ownSupport = ownSupports[index] ?? 0;
    // Extractors drop headings too often. A heading that at least one extractor keeps receives the
    // support of the next block.
    const liftedSupport = ownSupport > 0 && isHeading(block) ? (ownSupports[index + 1] ?? 0) : 0;
    return { block, support: Math.max(ownSupport, liftedSupport) };
  });
}

function containsBlock(
  opinion: ExtractedText,
  lettersOfBlocks: readonly string[],
  index: number,
): boolean {
  const blockLetters = lettersOfBlocks[index] ?? '';
  if (blockLetters === '') return false;
  if (blockLetters.length >= DISTINCTIVE_LENGTH_MIN) return opinion.letters.includes(blockLetters);
  return (
    isBesideLongBlock(opinion, lettersOfBlocks, index, -1) ||
    isBesideLongBlock(opinion, lettersOfBlocks, index, 1)
  );
}

/**
 * True when a short block is next to a long block of the same extractor, in direction `step`.
 * Blocks that this extractor omitted may lie between them.
 */
function isBesideLongBlock(
  opinion: ExtractedText,
  lettersOfBlocks: readonly string[],
  index: number,
  step: -1 | 1,
): boolean {
  const blockLetters = lettersOfBlocks[index] ?? '';
  for (
    let neighbourIndex = index + step, distance = 0;
    distance < NEIGHBOUR_DISTANCE_MAX;
    neighbourIndex += step, distance++
  ) {
    const neighbour = lettersOfBlocks[neighbourIndex];
    if (neighbour === undefined) return false;
    if (neighbour.length < DISTINCTIVE_LENGTH_MIN) continue;
    const position = opinion.letters.indexOf(neighbour);
    if (position === -1) continue;
    const from =
      step === -1 ? position + neighbour.length : Math.max(0, position - NEIGHBOUR_CHARACTERS_MAX);
    const to = step === -1 ? from + NEIGHBOUR_CHARACTERS_MAX : position;
    return opinion.letters.slice(from, to).includes(blockLetters);
  }
  return false;
}

/** An extractor that found only a small part of the others' text is ignored. */
function removeOutliers(opinions: readonly ExtractedText[]): readonly ExtractedText[] {
  const lengths = opinions.map((opinion) => opinion.words).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const longOpinions = opinions.filter((opinion) => opinion.words >= middle * 0.35);
  return longOpinions.length > 0 ? longOpinions : opinions;
}
