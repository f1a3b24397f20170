// Builds the article's text from a page's blocks. It keeps the blocks on which the extractors
// agree. It removes noise by structure, name or wording, and text before the first or after the
// last sentence.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import {
  cutAtClosingHeading,
  isFurniture,
  type RuleContext,
  removeBiography,
  trimEnds,
} from './block-rules.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { findNoise, type Noise } from './find-noise.ts';
import { blocksOf, isHeading, type TextBlock } from './page-text.ts';
import { wordCount } from './prose.ts';
import type { ExtractedText } from './run-extractors.ts';
import { voteOnBlocks } from './vote-blocks.ts';

/** A page with more blocks is an endless list. */
const BLOCKS_MAX = 6_000;

/** A block with at least this support belongs to the article. */
const SUPPORT_MIN = 0.5;

/**
 * Blocks that are noise by name are removed only if at least this share of the agreed words
 * remains.
 */
const CLEAN_SHARE_MIN = 0.4;

/** Below this number of words, the longest extracted text is used alone if it is twice as long. */
const THIN_TEXT_WORDS = 25;

/** One line per block; "" when no text remains. */
export function articleText(
  document: PageDocument,
  extractedTexts: readonly ExtractedText[],
  context: RuleContext,
): string {
  const blocks = blocksOf(document.body).slice(0, BLOCKS_MAX);
  const noise = findNoise(document);
  const agreedBlocks = voteOnBlocks(blocks, extractedTexts)
    .filter(({ support }) => support >= SUPPORT_MIN)
    .map(({ block }) => block);
  const article = cleanBlocks(removeNoise(agreedBlocks, noise), context);
  const longestText =
    countWords(article) < THIN_TEXT_WORDS
      ? findLongestText(blocks, extractedTexts, noise, context)
      : [];
  const content = countWords(longestText) > 2 * countWords(article) ? longestText : article;
  return content.map((block) => block.text).join('\n');
}

function cleanBlocks(blocks: readonly TextBlock[], context: RuleContext): readonly TextBlock[] {
  const articleBlocks = removeRepeats(blocks.filter((block) => !isFurniture(block, context)));
  return trimEnds(removeBiography(cutAtClosingHeading(articleBlocks), context));
}

/**
 * The longest text that an extractor found, such as a gallery's captions or a page of fragments.
 */
function findLongestText(
  blocks: readonly TextBlock[],
  extractedTexts: readonly ExtractedText[],
  noise: Noise,
  context: RuleContext,
): readonly TextBlock[] {
  const best = [...extractedTexts].sort((a, b) => b.words - a.words)[0];
  if (best === undefined) return [];
  const supportedBlocks = voteOnBlocks(blocks, [best]).filter(({ support }) => support > 0);
  const articleBlocks = supportedBlocks
    .map(({ block }) => block)
    .filter((block) => !isNoise(block, noise.structural));
  return cleanBlocks(articleBlocks, context);
}

function removeNoise(agreed: readonly TextBlock[], noise: Noise): readonly TextBlock[] {
  const remainingBlocks = agreed.filter((block) => !isNoise(block, noise.structural));
  const cleanedBlocks = remainingBlocks.filter((block) => !isNoise(block, noise.named));
  return countWords(cleanedBlocks) >= countWords(remainingBlocks) * CLEAN_SHARE_MIN
    ? cleanedBlocks
    : remainingBlocks;
}

/** A named element inside the block is noise only when it holds most of the block's text. */
function isNoise({ element, leaf, text }: TextBlock, noise: ReadonlySet<PageElement>): boolean {
  const hasMostText = (leaf.textContent ?? '').trim().length > text.length * 0.6;
  return isInside(hasMostText ? leaf : element, noise);
}

function isInside(element: PageElement, elements: ReadonlySet<PageElement>): boolean {
  for (
    let ancestor: PageElement | null = element;
    ancestor !== null;
    ancestor = ancestor.parentElement
  ) {
    if (elements.has(ancestor)) return true;
  }
  return false;
}

function countWords(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + wordCount(text), 0);
}

/**
 * Pages repeat paragraphs for phone and desktop layouts and in pull quotes. The first copy stays,
 * unless it is a heading that the text repeats. Blocks of fewer than eight words may repeat.
 */
function removeRepeats(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const blocksByText = new Map<string, TextBlock>();
  for (const block of blocks) {
    const blockLetters = normalizedLetters(block.text);
    const earlierBlock = blocksByText.get(blockLetters);
    if (earlierBlock === undefined || isHeading(earlierBlock))
      blocksByText.set(blockLetters, block);
  }
  return blocks.filter(
    (block) =>
      wordCount(block.text) < 8 || blocksByText.get(normalizedLetters(block.text)) === block,
  );
}
