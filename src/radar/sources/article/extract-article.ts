// Extracts a page's article: headline, text, publication time and language. Several extractors run,
// and the text they agree on is used.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import { articleText } from './article-text.ts';
import type { PageDocument } from './dom.ts';
import { findDensestText } from './find-densest-text.ts';
import { type ArticleData, articleDataOf } from './json-ld.ts';
import { findAuthors, findLanguage, findPublishedAt, findTitle } from './page-metadata.ts';
import { cleanLine } from './page-text.ts';
import { openDocument, repairHtml } from './parse-page.ts';
import { wordCount } from './prose.ts';
import { runExtractors } from './run-extractors.ts';

export type Article = {
  /** Without the site's name; null when the page has none. */
  readonly title: string | null;
  /** Plain text, one line per paragraph, heading or list item; "" when there is none. */
  readonly text: string;
  /** RFC 3339 UTC with milliseconds; null when unknown. */
  readonly publishedAt: string | null;
  /** BCP 47; null when unknown. */
  readonly language: string | null;
};

/** Text beyond this length is a data dump and is cut off. */
const CHARACTERS_MAX = 2_000_000;

/**
 * `html` is the decoded page and `url` its address. `now`, in epoch milliseconds, resolves "3 hours
 * ago". Every input returns a result, and the function makes no request.
 */
export function extractArticle(html: string, url: string, now: number): Article {
  const repaired = repairHtml(html.slice(0, CHARACTERS_MAX));
  const document = openDocument(repaired);
  const data = articleDataOf(document);
  const title = findTitle(document, data);
  const text = bodyText(repaired, document, data, title, url);
  const language = findLanguage(document, data, text);
  const publishedAt = findPublishedAt(document, data, { title, url, language, now });
  return { title, text, publishedAt, language };
}

function bodyText(
  repaired: string,
  document: PageDocument,
  data: ArticleData | null,
  title: string | null,
  url: string,
): string {
  const authors = findAuthors(document, data).map(normalizedLetters);
  const context = { title: normalizedLetters(title ?? ''), authors };
  const text = articleText(document, runExtractors(repaired, data, url), context);
  const pageDataText = data?.body == null ? '' : declaredText(data.body);
  // A page that builds its text with scripts has its whole text only in its declared metadata.
  if (wordCount(pageDataText) > 2 * Math.max(wordCount(text), 20)) return pageDataText;
  return text === '' ? findDensestText(openDocument(repaired)) : text;
}

function declaredText(body: string): string {
  return body
    .split(/\n+|<\/?(?:p|br|div|h\d|li)\b[^>]*>/i)
    .map((line) => cleanLine(line.replace(/<[^>]+>/g, '')))
    .filter((line) => line !== '')
    .join('\n');
}
