// Runs the extractors: Mozilla's Readability on the page with and without noise, Defuddle, the
// element whose name marks an article body, and JSON-LD. Each returns a text. The article is the
// text on which they agree.

import { Readability } from '@mozilla/readability';
import { DefuddleClass } from 'defuddle/node';
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { stripNoise } from './find-noise.ts';
import type { ArticleData } from './json-ld.ts';
import { isNamedBody } from './name-words.ts';
import { blocksOf, textOf } from './page-text.ts';
import { openDocument } from './parse-page.ts';
import { endsSentence, wordCount } from './prose.ts';

export type ExtractedText = {
  /**
   * `stripped`: Readability without noise; `named`: the element named as an article body;
   * `declared`: JSON-LD.
   */
  readonly name: 'readability' | 'stripped' | 'defuddle' | 'named' | 'declared';
  /** Weight of this text's vote for a block. */
  readonly weight: number;
  /** Letters and digits of the extracted text, in order. */
  readonly letters: string;
  readonly words: number;
};

/**
 * `repaired` is the page's well-formed HTML. An extractor that fails or finds no text is absent.
 */
export function runExtractors(
  repaired: string,
  data: ArticleData | null,
  url: string,
): ExtractedText[] {
  const strippedDocument = openDocument(repaired);
  stripNoise(strippedDocument);
  const articleBody = findNamedBody(strippedDocument);
  const extractedTexts = [
    toExtractedText(
      'readability',
      1,
      tryExtract(() => extractByReadability(openDocument(repaired))),
    ),
    toExtractedText('named', 0.8, articleBody),
    // Readability modifies its document; this is the document's last use.
    toExtractedText(
      'stripped',
      1,
      tryExtract(() => extractByReadability(strippedDocument)),
    ),
    toExtractedText(
      'defuddle',
      1,
      tryExtract(() => extractByDefuddle(openDocument(repaired), url)),
    ),
  ].filter((extractedText) => extractedText !== null);
  return addDeclaredBody(extractedTexts, data);
}

function toExtractedText(
  name: ExtractedText['name'],
  weight: number,
  text: string | null,
): ExtractedText | null {
  if (text === null) return null;
  const words = wordCount(text);
  return words < 5 ? null : { name, weight, letters: normalizedLetters(text), words };
}

/** The extractors expect a browser's DOM. They throw on trees that they do not support. */
function tryExtract(extract: () => string | null): string | null {
  try {
    return extract();
  } catch {
    return null;
  }
}

function extractByReadability(document: PageDocument): string | null {
  const browserDocument = document as unknown as ConstructorParameters<typeof Readability>[0];
  const article = new Readability(browserDocument, { maxElemsToParse: 60_000 }).parse();
  return article?.content == null ? null : textOfHtml(article.content);
}

/** Browser properties that Defuddle needs and linkedom lacks. */
type BrowserParts = {
  styleSheets?: readonly never[];
  defaultView?: { getComputedStyle?: () => { readonly display: string } } | null;
  URL?: string;
};

/** Defuddle's time grows with the square of the page: 9 s for 20,000 elements, measured. */
const DEFUDDLE_ELEMENTS_MAX = 12_000;

function extractByDefuddle(document: PageDocument, url: string): string | null {
  if ([...document.querySelectorAll('*')].length > DEFUDDLE_ELEMENTS_MAX) return null;
  // JSON-LD is a separate extractor, and Defuddle prints an error for invalid JSON-LD.
  for (const script of [...document.querySelectorAll('script')]) script.remove();
  const browserDocument = document as unknown as BrowserParts;
  browserDocument.styleSheets ??= [];
  if (browserDocument.defaultView != null)
    browserDocument.defaultView.getComputedStyle ??= () => ({ display: '' });
  // Defuddle prints an error for an invalid address.
  const address = URL.canParse(url) ? url : 'https://page.invalid/';
  browserDocument.URL = address;
  const defuddleInput = document as unknown as ConstructorParameters<typeof DefuddleClass>[0];
  const result = new DefuddleClass(defuddleInput, { url: address, useAsync: false }).parse();
  return textOfHtml(result.content);
}

function textOfHtml(html: string): string {
  return textOf(openDocument(`<html><head></head><body>${html}</body></html>`).body);
}

/** The text of an element that is named as an article body and holds much of the page's prose. */
function findNamedBody(document: PageDocument): string | null {
  const candidates = [...document.body.querySelectorAll('[class], [id], [itemprop]')].filter(
    isNamedBody,
  );
  const scoredElements = candidates.map((element) => ({
    element,
    words: countProseWords(element),
  }));
  const total = countProseWords(document.body);
  const bestElement = scoredElements.sort((a, b) => b.words - a.words)[0];
  if (bestElement === undefined || bestElement.words < Math.max(20, total * 0.4)) return null;
  return textOf(findInnermost(bestElement.element, scoredElements, bestElement.words));
}

/** The deepest named element with at least 90 % of the words of the best one. */
function findInnermost(
  best: PageElement,
  scored: readonly { readonly element: PageElement; readonly words: number }[],
  words: number,
): PageElement {
  let innermost = best;
  for (const { element, words: elementWords } of scored) {
    if (elementWords >= words * 0.9 && element !== innermost && innermost.contains(element))
      innermost = element;
  }
  return innermost;
}

function countProseWords(root: PageElement): number {
  let words = 0;
  for (const block of blocksOf(root)) {
    const count = wordCount(block.text);
    if (count >= 8 && endsSentence(block.text) && block.linkShare < 0.5) words += count;
  }
  return words;
}

/**
 * A JSON-LD body counts when its length is similar to the other texts. Teasers and site dumps use
 * the same field.
 */
function addDeclaredBody(
  extractedTexts: ExtractedText[],
  data: ArticleData | null,
): ExtractedText[] {
  if (data?.body == null) return extractedTexts;
  const declaredBody = toExtractedText('declared', 1.2, textOfHtml(data.body));
  if (declaredBody === null) return extractedTexts;
  const lengths = extractedTexts.map(({ words }) => words).sort((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)];
  if (median === undefined) return [declaredBody];
  const isPlausible = declaredBody.words > median * 0.6 && declaredBody.words < median * 1.6;
  return isPlausible ? [...extractedTexts, declaredBody] : extractedTexts;
}
