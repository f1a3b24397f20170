// What is no part of an article's text even where every extractor keeps it: the headline again,
// bylines and dates, invitations to read, share, follow and subscribe, link-only lines, and what
// trails after the last sentence.
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
  pictureCredit,
} from './furniture-phrases.ts';
import { type Block, isHeading } from './page-text.ts';
import { endsSentence, essence, wordCount } from './prose.ts';

const short = 30;

export type RuleContext = {
  /** The page's headline, as `essence`. */
  readonly title: string;
  /** Names of its authors, as `essence`. */
  readonly authors: readonly string[];
};

/** Whether `block` is furniture by its own text and links. */
export function isFurniture(block: Block, context: RuleContext): boolean {
  const { text, element, linkShare } = block;
  const words = wordCount(text);
  const own = essence(text);
  if (own === '') return true;
  if (context.title.length > 8 && (own === context.title || isTitleWithSite(own, context.title))) {
    return true;
  }
  if (words < 60 && (legal.test(text) || pictureCredit.test(text))) return true;
  if (/^\d+$/.test(text) && element.closest('pre, td') !== null) return true;
  if (words > short) return false;
  if (openings.test(text) && (!endsProse(text, words) || linkShare > 0.3)) return true;
  if (chineseLegal.test(text)) return true;
  // 返回舱… begins a sentence, 返回首页 does not.
  if (chineseOpenings.test(text) && (!endsSentence(text) || linkShare > 0.3)) return true;
  if (isInvitation(text)) return true;
  if (byline.test(text) && words <= 16 && !endsSentence(text)) return true;
  if (dateLine.test(text) || numericDateLine.test(text)) return true;
  return isLinkLine(block, words);
}

/**
 * Ends the article at a heading such as "More stories" that stands outside its text's element: what
 * follows there is of the page. Inside that element the article may well go on.
 */
export function cutAtClosing(blocks: readonly Block[]): readonly Block[] {
  const home = blocks.find((b) => wordCount(b.text) >= 12)?.element.parentElement ?? null;
  if (home === null) return blocks;
  const end = blocks.findIndex(
    (b, index) =>
      index > 0 &&
      isHeading(b) &&
      closing.test(b.text) &&
      wordCount(b.text) <= 6 &&
      blocks.slice(index).every(({ element }) => element.parentElement !== home),
  );
  const kept = end === -1 ? blocks : blocks.slice(0, end);
  return kept.reduce((sum, b) => sum + wordCount(b.text), 0) >= minArticleWords ? kept : blocks;
}

const minArticleWords = 25;

function isTitleWithSite(own: string, title: string): boolean {
  return own.startsWith(title) && own.length < title.length + 20;
}

/** A real sentence of some length: "More on this is expected on Monday, the minister said." */
function endsProse(text: string, words: number): boolean {
  return words >= 12 && endsSentence(text);
}

/** A line that is only a link, and no heading: in an article that is a way out of it. */
function isLinkLine(block: Block, words: number): boolean {
  const { element, text } = block;
  if (block.linkShare < 0.8 || element.closest('h1, pre, td, th') !== null) return false;
  if (isHeading(block)) return isAlone(block, words);
  // A sentence may well be one link; a list of references is one entry for each line.
  return words < 25 && !(words >= 8 && /[.。]['”"]?$/.test(text));
}

/** A linked heading with nothing of its own beside it: another article's headline, set in. */
function isAlone({ element }: Block, words: number): boolean {
  const around = element.closest('h2, h3, h4, h5, h6')?.parentElement;
  return around != null && wordCount(around.textContent ?? '') <= words + 12;
}

const bioBlocks = 3;

/** An author's name at the start of one of the last blocks begins a note about the author. */
export function withoutBio(blocks: readonly Block[], { authors }: RuleContext): readonly Block[] {
  return blocks.filter((block, index) => {
    if (index < 3 || index < blocks.length - bioBlocks || wordCount(block.text) > 60) return true;
    const own = essence(block.text.replace(/^about( the author)?:? /i, ''));
    return !authors.some((author) => author.length > 5 && own.startsWith(author));
  });
}

/**
 * Drops what stands before the first sentence and after the last one and is no heading of theirs,
 * and headings that nothing follows.
 */
export function trimEnds(blocks: readonly Block[]): readonly Block[] {
  const isProse = (b: Block) => {
    const words = wordCount(b.text);
    return words >= 12 || (words >= 3 && endsSentence(b.text));
  };
  const first = blocks.findIndex(isProse);
  const last = blocks.findLastIndex(isProse);
  if (first === -1) return blocks;
  const kept = blocks.filter((b, index) => {
    if (index < first) return isHeading(b) && wordCount(b.text) >= 2 && index >= first - 2;
    if (index > last) return isListed(b);
    return true;
  });
  const end = kept.findLastIndex((b) => !isHeading(b));
  return end === -1 ? kept : kept.slice(0, end + 1);
}

/** The last items of a list, table or listing belong to it, however short. */
function isListed(block: Block): boolean {
  const { element } = block;
  if (block.linkShare >= 0.5) return false;
  if (element.closest('li, pre, dd, blockquote') !== null) return true;
  // Cells of a table with headers; without any it is how old pages were laid out.
  return element.closest('table')?.querySelector('th') != null;
}
