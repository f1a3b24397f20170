// The article on a page: its headline, its text without what surrounds it, when it was published
// and in which language it is. Several extractors are asked; what they agree on counts.
import { cutAtClosing, isFurniture, trimEnds } from './block-rules.ts';
import { densestText } from './densest.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { findNoise, type Noise } from './find-noise.ts';
import { type ArticleData, articleDataOf } from './json-ld.ts';
import { languageOf, publishedAtOf, titleOf } from './page-metadata.ts';
import { type Block, blocksOf, tidyLine } from './page-text.ts';
import { openDocument, repairHtml } from './parse-page.ts';
import { essence, wordCount } from './prose.ts';
import { voteOnBlocks } from './vote-blocks.ts';
import { opinionsOn } from './voters.ts';

export type Article = {
  /** Without the site's name; null when the page has none. */
  readonly title: string | null;
  /** Plain text, one line for each paragraph, heading or list item; "" when there is none. */
  readonly text: string;
  /** RFC 3339 UTC with milliseconds; null when unknown. */
  readonly publishedAt: string | null;
  /** BCP 47; null when unknown. */
  readonly language: string | null;
};

/** More than this is no article but a dump; the rest is not looked at. */
const maxCharacters = 2_000_000;
const maxBlocks = 6_000;

/** Support from which a block counts as the article's. */
const threshold = 0.5;

/** Of the agreed words, the part that must remain without noise; names that take more lie. */
const minCleanShare = 0.4;

/**
 * `html` is the page's text, decoded; `url` where it came from; `now`, epoch milliseconds, is what
 * "3 hours ago" on the page counts from. Any text gives an answer; nothing is fetched.
 */
export function extractArticle(html: string, url: string, now: number): Article {
  const repaired = repairHtml(html.slice(0, maxCharacters));
  const document = openDocument(repaired);
  const data = articleDataOf(document);
  const title = titleOf(document, data);
  const text = bodyText(repaired, document, data, title, url);
  const language = languageOf(document, data, text);
  const publishedAt = publishedAtOf(document, data, { title, url, language, now });
  return { title, text, publishedAt, language };
}

function bodyText(
  repaired: string,
  document: PageDocument,
  data: ArticleData | null,
  title: string | null,
  url: string,
): string {
  const opinions = opinionsOn(repaired, data, url);
  const blocks = blocksOf(document.body).slice(0, maxBlocks);
  const voted = withoutNoise(
    voteOnBlocks(blocks, opinions)
      .filter((v) => v.support >= threshold)
      .map((v) => v.block),
    findNoise(document),
  );
  const context = { title: essence(title ?? '') };
  const own = withoutRepeats(voted.filter((b) => !isFurniture(b, context)));
  const article = trimEnds(cutAtClosing(own));
  const text = article.map((b) => b.text).join('\n');
  const declared = data?.body == null ? '' : declaredText(data.body);
  // A page that its scripts would have filled: what it declares is all there is.
  if (wordCount(declared) > 2 * Math.max(wordCount(text), 20)) return declared;
  return text === '' ? densestText(openDocument(repaired)) : text;
}

function withoutNoise(agreed: readonly Block[], noise: Noise): readonly Block[] {
  const shown = agreed.filter(({ element }) => !isInside(element, noise.certain));
  const clean = shown.filter(({ element }) => !isInside(element, noise.hard));
  return words(clean) >= words(shown) * minCleanShare ? clean : shown;
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

function declaredText(body: string): string {
  return body
    .split(/\n+|<\/?(?:p|br|div|h\d|li)\b[^>]*>/i)
    .map((line) => tidyLine(line.replace(/<[^>]+>/g, '')))
    .filter((line) => line !== '')
    .join('\n');
}

/** Pages repeat paragraphs for phones and desks, and in pull quotes: the first one stays. */
function withoutRepeats(blocks: readonly Block[]): readonly Block[] {
  const seen = new Set<string>();
  return blocks.filter((block) => {
    if (wordCount(block.text) < 8) return true;
    const own = essence(block.text);
    if (seen.has(own)) return false;
    seen.add(own);
    return true;
  });
}
