// Removes page furniture: text that is not part of an article even when every extractor keeps it.
// Examples are the repeated headline, bylines, dates, calls to share or subscribe, link-only lines,
// and text after the last sentence.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import {
  byline,
  chineseLegal,
  chineseOpenings,
  closing,
  dateLine,
  isInvitation,
  legal,
  numericDateLine,
  openings,
  photoCredit,
} from './furniture-phrases.ts';
import { isHeading, type TextBlock } from './page-text.ts';
import { endsSentence, wordCount } from './prose.ts';

/** A block with more words is checked only for legal notices, credits and the headline. */
const SHORT_BLOCK_WORDS = 30;

export type RuleContext = {
  /** The page's headline, normalised by `normalizedLetters`. */
  readonly title: string;
  /** Names of the authors, normalised by `normalizedLetters`. */
  readonly authors: readonly string[];
};

/** True when the block's own text and links show that it is not part of the article. */
export function isFurniture(block: TextBlock, context: RuleContext): boolean {
  const { text, element, linkShare } = block;
  const words = wordCount(text);
  const blockLetters = normalizedLetters(text);
  if (blockLetters === '') return true;
  if (
    context.title.length > 8 &&
    (blockLetters === context.title || isTitleWithSite(blockLetters, context.title))
  ) {
    return true;
  }
  if (words < 60 && (legal.test(text) || photoCredit.test(text))) return true;
  if (/^\d+$/.test(text) && element.closest('pre, td') !== null) return true;
  if (words > SHORT_BLOCK_WORDS) return false;
  if (openings.test(text) && (!isFullSentence(text, words) || linkShare > 0.3)) return true;
  if (chineseLegal.test(text)) return true;
  // 返回舱… (the return capsule) begins a sentence. 返回首页 (to the front page) is navigation.
  if (chineseOpenings.test(text) && (!endsSentence(text) || linkShare > 0.3)) return true;
  if (isInvitation(text)) return true;
  if (byline.test(text) && words <= 16 && !endsSentence(text)) return true;
  if (dateLine.test(text) || numericDateLine.test(text)) return true;
  return isLinkLine(block, words);
}

/**
 * Ends the article at a closing heading, such as "More stories", when no later block lies in the
 * article's element. Inside that element, the heading may be part of the article.
 */
export function cutAtClosingHeading(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const articleElement =
    blocks.find(({ text }) => wordCount(text) >= 12)?.element.parentElement ?? null;
  if (articleElement === null) return blocks;
  const end = blocks.findIndex(
    (block, index) =>
      index > 0 &&
      isHeading(block) &&
      closing.test(block.text) &&
      wordCount(block.text) <= 6 &&
      blocks.slice(index).every(({ element }) => element.parentElement !== articleElement),
  );
  const remaining = end === -1 ? blocks : blocks.slice(0, end);
  return remaining.reduce((sum, { text }) => sum + wordCount(text), 0) >= ARTICLE_WORDS_MIN
    ? remaining
    : blocks;
}

/** If fewer words would remain, the heading does not end the article. */
const ARTICLE_WORDS_MIN = 25;

function isTitleWithSite(blockLetters: string, title: string): boolean {
  return blockLetters.startsWith(title) && blockLetters.length < title.length + 20;
}

/** A full sentence, for example "More on this is expected on Monday, the minister said." */
function isFullSentence(text: string, words: number): boolean {
  return words >= 12 && endsSentence(text);
}

/** A line that is only a link, and not a heading, links to another article. */
function isLinkLine(block: TextBlock, words: number): boolean {
  const { element, text } = block;
  if (block.linkShare < 0.8 || element.closest('h1, pre, td, th') !== null) return false;
  if (isHeading(block)) return isLinkedHeadline(block, words);
  // A sentence can be one link. A list of references has one entry per line.
  return words < 25 && !(words >= 8 && /[.。]['”"]?$/.test(text));
}

/** A linked heading with no other text beside it is the headline of another article. */
function isLinkedHeadline({ element }: TextBlock, words: number): boolean {
  const headingParent = element.closest('h2, h3, h4, h5, h6')?.parentElement;
  return headingParent != null && wordCount(headingParent.textContent ?? '') <= words + 12;
}

const BIO_BLOCKS_MAX = 3;

/** Removes biographies: blocks among the last three that begin with the name of an author. */
export function removeBiography(
  blocks: readonly TextBlock[],
  { authors }: RuleContext,
): readonly TextBlock[] {
  return blocks.filter((block, index) => {
    if (index < 3 || index < blocks.length - BIO_BLOCKS_MAX || wordCount(block.text) > 60)
      return true;
    const blockLetters = normalizedLetters(block.text.replace(/^about( the author)?:? /i, ''));
    return !authors.some((author) => author.length > 5 && blockLetters.startsWith(author));
  });
}

/**
 * Removes blocks before the first sentence, except headings among the last two of these blocks.
 * After the last sentence it keeps only list items. Headings without text below them are removed.
 */
export function trimEnds(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const isProse = ({ text }: TextBlock) => {
    const words = wordCount(text);
    return words >= 12 || (words >= 3 && endsSentence(text));
  };
  const first = blocks.findIndex(isProse);
  const last = blocks.findLastIndex(isProse);
  if (first === -1) return blocks;
  const remaining = blocks.filter((block, index) => {
    if (index < first) return isHeading(block) && wordCount(block.text) >= 2 && index >= first - 2;
    if (index > last) return isListItem(block);
    return true;
  });
  const end = remaining.findLastIndex((block) => !isHeading(block));
  return end === -1 ? remaining : remaining.slice(0, end + 1);
}

/** The last items of a list, table or code block stay, even when they are short. */
function isListItem(block: TextBlock): boolean {
  const { element } = block;
  if (block.linkShare >= 0.5) return false;
  if (element.closest('li, pre, dd, blockquote') !== null) return true;
  // A table with header cells holds data. A table without them is used for layout.
  return element.closest('table')?.querySelector('th') != null;
}
