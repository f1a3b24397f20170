// The opinions on what a page's article is: Mozilla's Readability (on the page as it is, and on the
// page without its furniture), Defuddle, the element that is named as the body, and JSON-LD. Each
// answers with a text; what the texts agree on is the article.
import { Readability } from '@mozilla/readability';
import { DefuddleClass } from 'defuddle/node';
import type { PageDocument, PageElement } from './dom.ts';
import { stripNoise } from './find-noise.ts';
import type { ArticleData } from './json-ld.ts';
import { isNamedBody } from './name-words.ts';
import { blocksOf, textOf } from './page-text.ts';
import { openDocument } from './parse-page.ts';
import { endsSentence, essence, wordCount } from './prose.ts';

export type Opinion = {
  readonly name: 'readability' | 'stripped' | 'defuddle' | 'named' | 'declared';
  readonly weight: number;
  /** Letters and digits of what it takes for the article, in order. */
  readonly essence: string;
  readonly words: number;
};

/** `repaired` is the page's well-formed HTML. A voter that fails or finds nothing is absent. */
export function opinionsOn(repaired: string, data: ArticleData | null, url: string): Opinion[] {
  const stripped = openDocument(repaired);
  stripNoise(stripped);
  const named = namedBody(stripped);
  const opinions = [
    opinion(
      'readability',
      1,
      attempt(() => byReadability(openDocument(repaired))),
    ),
    opinion('named', 0.8, named),
    // Readability consumes its document: last use of this one.
    opinion(
      'stripped',
      1,
      attempt(() => byReadability(stripped)),
    ),
    opinion(
      'defuddle',
      1,
      attempt(() => byDefuddle(openDocument(repaired), url)),
    ),
  ].filter((o) => o !== null);
  return withDeclared(opinions, data);
}

function opinion(name: Opinion['name'], weight: number, text: string | null): Opinion | null {
  if (text === null) return null;
  const words = wordCount(text);
  return words < 5 ? null : { name, weight, essence: essence(text), words };
}

/** The extractors are made for browsers: on a tree that they cannot take, they throw. */
function attempt(extract: () => string | null): string | null {
  try {
    return extract();
  } catch {
    return null;
  }
}

function byReadability(document: PageDocument): string | null {
  const browsers = document as unknown as ConstructorParameters<typeof Readability>[0];
  const article = new Readability(browsers, { maxElemsToParse: 60_000 }).parse();
  return article?.content == null ? null : textOfHtml(article.content);
}

/** What linkedom lacks and Defuddle asks of a browser. */
type BrowserParts = {
  styleSheets?: readonly never[];
  defaultView?: { getComputedStyle?: () => { readonly display: string } } | null;
  URL?: string;
};

/** Its time grows with the square of the page: 9 s for 20,000 elements, measured. */
const maxDefuddleElements = 12_000;

function byDefuddle(document: PageDocument, url: string): string | null {
  if ([...document.querySelectorAll('*')].length > maxDefuddleElements) return null;
  // JSON-LD has a vote of its own, and what is broken in it would be printed.
  for (const script of [...document.querySelectorAll('script')]) script.remove();
  const shim = document as unknown as BrowserParts;
  shim.styleSheets ??= [];
  if (shim.defaultView != null) shim.defaultView.getComputedStyle ??= () => ({ display: '' });
  // It complains on standard error of an address that is none.
  const address = URL.canParse(url) ? url : 'https://page.invalid/';
  shim.URL = address;
  const browsers = document as unknown as ConstructorParameters<typeof DefuddleClass>[0];
  const result = new DefuddleClass(browsers, { url: address, useAsync: false }).parse();
  return textOfHtml(result.content);
}

function textOfHtml(html: string): string {
  return textOf(openDocument(`<html><head></head><body>${html}</body></html>`).body);
}

/** The text of the elements named as the article's body, when they hold most of the prose. */
function namedBody(document: PageDocument): string | null {
  const candidates = [...document.body.querySelectorAll('[class], [id], [itemprop]')].filter(
    isNamedBody,
  );
  const scored = candidates.map((element) => ({ element, words: proseWords(element) }));
  const total = proseWords(document.body);
  const best = scored.sort((a, b) => b.words - a.words)[0];
  if (best === undefined || best.words < Math.max(20, total * 0.4)) return null;
  return textOf(innermost(best.element, scored, best.words));
}

/** The deepest named element that still holds nearly all that the best one holds. */
function innermost(
  best: PageElement,
  scored: readonly { readonly element: PageElement; readonly words: number }[],
  words: number,
): PageElement {
  let at = best;
  for (const { element, words: own } of scored) {
    if (own >= words * 0.9 && element !== at && at.contains(element)) at = element;
  }
  return at;
}

function proseWords(root: PageElement): number {
  let words = 0;
  for (const block of blocksOf(root)) {
    const count = wordCount(block.text);
    if (count >= 8 && endsSentence(block.text) && block.linkShare < 0.5) words += count;
  }
  return words;
}

/**
 * A JSON-LD body counts when it is about as long as what the others found: teasers and whole-site
 * dumps stand in the same field.
 */
function withDeclared(opinions: Opinion[], data: ArticleData | null): Opinion[] {
  if (data?.body == null) return opinions;
  const declared = opinion('declared', 1.2, textOfHtml(data.body));
  if (declared === null) return opinions;
  const lengths = opinions.map((o) => o.words).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)];
  if (middle === undefined) return [declared];
  const isPlausible = declared.words > middle * 0.6 && declared.words < middle * 1.6;
  return isPlausible ? [...opinions, declared] : opinions;
}
