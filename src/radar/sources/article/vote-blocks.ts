// Computes the support of each block of a page by a weighted vote of the extractors. Extractors
// make different errors, and text that several of them keep is rarely wrong.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import { isHeading, type TextBlock } from './page-text.ts';
import type { ExtractedText } from './run-extractors.ts';

/**
 * Minimum length of a long block, which alone identifies its place. A shorter block counts only
 * next to a long block.
 */
const LONG_BLOCK_MIN = 24;
/** Maximum number of blocks between a short block and its long neighbour. */
const NEIGHBOUR_DISTANCE_MAX = 6;
/** Maximum number of characters between a short block and its long neighbour. */
const NEIGHBOUR_CHARACTERS_MAX = 90;

export type BlockVote = {
  readonly block: TextBlock;
  /**
   * Weight of the extractors whose text contains the block, as a share of all weights, 0 to 1. A
   * heading can have the share of the next block.
   */
  readonly support: number;
};

export function voteOnBlocks(
  blocks: readonly TextBlock[],
  extractedTexts: readonly ExtractedText[],
): BlockVote[] {
  const textsInRange = removeOutliers(extractedTexts);
  const total = textsInRange.reduce((sum, extractedText) => sum + extractedText.weight, 0);
  const lettersOfBlocks = blocks.map((block) => normalizedLetters(block.text));
  const ownSupports = blocks.map((_, index) => {
    let support = 0;
    for (const extractedText of textsInRange) {
      if (containsBlock(extractedText, lettersOfBlocks, index)) support += extractedText.weight;
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
  extractedText: ExtractedText,
  lettersOfBlocks: readonly string[],
  index: number,
): boolean {
  const blockLetters = lettersOfBlocks[index] ?? '';
  if (blockLetters === '') return false;
  if (blockLetters.length >= LONG_BLOCK_MIN) return extractedText.letters.includes(blockLetters);
  return (
    isBesideLongBlock(extractedText, lettersOfBlocks, index, -1) ||
    isBesideLongBlock(extractedText, lettersOfBlocks, index, 1)
  );
}

/**
 * True when a short block is next to a long block of the same extractor, in direction `step`.
 * Blocks that this extractor omitted may lie between them.
 */
function isBesideLongBlock(
  extractedText: ExtractedText,
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
    if (neighbour.length < LONG_BLOCK_MIN) continue;
    const position = extractedText.letters.indexOf(neighbour);
    if (position === -1) continue;
    const from =
      step === -1 ? position + neighbour.length : Math.max(0, position - NEIGHBOUR_CHARACTERS_MAX);
    const to = step === -1 ? from + NEIGHBOUR_CHARACTERS_MAX : position;
    return extractedText.letters.slice(from, to).includes(blockLetters);
  }
  return false;
}

/** An extractor that found far fewer words than the median of all is ignored. */
function removeOutliers(extractedTexts: readonly ExtractedText[]): readonly ExtractedText[] {
  const lengths = extractedTexts.map((extractedText) => extractedText.words).sort((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const longTexts = extractedTexts.filter((extractedText) => extractedText.words >= median * 0.35);
  return longTexts.length > 0 ? longTexts : extractedTexts;
}
