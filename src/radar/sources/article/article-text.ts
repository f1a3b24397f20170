// The article's text out of a page's blocks: those that the extractors agree on, less what is noise
// by structure, name or wording, less what stands around the first and the last sentence.
import {
  cutAtClosing,
  isFurniture,
  type RuleContext,
  trimEnds,
  withoutBio,
} from './block-rules.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { findNoise, type Noise } from './find-noise.ts';
import { type Block, blocksOf, isHeading } from './page-text.ts';
import { essence, wordCount } from './prose.ts';
import { voteOnBlocks } from './vote-blocks.ts';
import type { Opinion } from './voters.ts';

/** More blocks than these belong to lists without end. */
const maxBlocks = 6_000;

/** Support from which a block counts as the article's. */
const threshold = 0.5;

/** Of the agreed words, the part that must remain without noise; names that take more lie. */
const minCleanShare = 0.4;

/** Fewer words than these, and an extractor that found far more is believed alone. */
const thinWords = 25;

/** One line for each block; "" when nothing is left. */
export function articleText(
  document: PageDocument,
  opinions: readonly Opinion[],
  context: RuleContext,
): string {
  const blocks = blocksOf(document.body).slice(0, maxBlocks);
  const noise = findNoise(document);
  const agreed = voteOnBlocks(blocks, opinions)
    .filter((v) => v.support >= threshold)
    .map((v) => v.block);
  const article = tidied(withoutNoise(agreed, noise), context);
  const alone = words(article) < thinWords ? richest(blocks, opinions, noise, context) : [];
  const chosen = words(alone) > 2 * words(article) ? alone : article;
  return chosen.map((b) => b.text).join('\n');
}

function tidied(blocks: readonly Block[], context: RuleContext): readonly Block[] {
  const own = withoutRepeats(blocks.filter((b) => !isFurniture(b, context)));
  return trimEnds(withoutBio(cutAtClosing(own), context));
}

/** What the extractor with the longest text found: a gallery's captions, a page of fragments. */
function richest(
  blocks: readonly Block[],
  opinions: readonly Opinion[],
  noise: Noise,
  context: RuleContext,
): readonly Block[] {
  const best = [...opinions].sort((a, b) => b.words - a.words)[0];
  if (best === undefined) return [];
  const held = voteOnBlocks(blocks, [best]).filter((v) => v.support > 0);
  const shown = held.map((v) => v.block).filter((block) => !isNoise(block, noise.certain));
  return tidied(shown, context);
}

function withoutNoise(agreed: readonly Block[], noise: Noise): readonly Block[] {
  const shown = agreed.filter((block) => !isNoise(block, noise.certain));
  const clean = shown.filter((block) => !isNoise(block, noise.hard));
  return words(clean) >= words(shown) * minCleanShare ? clean : shown;
}

/** A named element inside the block counts when it holds most of the block's text. */
function isNoise({ element, leaf, text }: Block, noise: ReadonlySet<PageElement>): boolean {
  const isMost = (leaf.textContent ?? '').trim().length > text.length * 0.6;
  return isInside(isMost ? leaf : element, noise);
}

function isInside(element: PageElement, set: ReadonlySet<PageElement>): boolean {
  for (let at: PageElement | null = element; at !== null; at = at.parentElement) {
    if (set.has(at)) return true;
  }
  return false;
}

function words(blocks: readonly Block[]): number {
  return blocks.reduce((sum, b) => sum + wordCount(b.text), 0);
}

/**
 * Pages repeat paragraphs for phones and desks, and in pull quotes: the first one stays, unless it
 * was a headline's second line and the text says it again.
 */
function withoutRepeats(blocks: readonly Block[]): readonly Block[] {
  const chosen = new Map<string, Block>();
  for (const block of blocks) {
    const own = essence(block.text);
    const earlier = chosen.get(own);
    if (earlier === undefined || isHeading(earlier)) chosen.set(own, block);
  }
  return blocks.filter(
    (block) => wordCount(block.text) < 8 || chosen.get(essence(block.text)) === block,
  );
}
