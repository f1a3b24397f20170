// Finds a page's title, publication time and language. A visible heading that repeats the
// document's title is the preferred title. For the time, declared values precede visible text.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import { primaryLanguage } from '../../../kernel/text/primary-language.ts';
import { parseHumanDate } from '../parse/web-list/parse-human-date.ts';
import type { PageDocument, PageElement } from './dom.ts';
import type { ArticleData } from './json-ld.ts';
import { blocksOf, cleanLine, lineOf, type TextBlock } from './page-text.ts';

/** The headline, without the site's name; null when the page has none. */
export function findTitle(document: PageDocument, data: ArticleData | null): string | null {
  const documentTitle = headingLine(document.querySelector('head > title'));
  const site = readMeta(document, ['og:site_name', 'application-name']);
  const headline = findVisibleHeadline(document, removeSiteName(documentTitle ?? '', site));
  if (headline !== null) return headline;
  const declaredTitle =
    cleanText(data?.headline) ?? readMeta(document, ['og:title', 'twitter:title']);
  if (declaredTitle !== null) return removeSiteName(declaredTitle, site);
  if (documentTitle !== null) return removeSiteName(documentTitle, site);
  return headingLine(document.querySelector('h1'));
}

/**
 * The longest heading that repeats a large part of the document's title, or a whole part between
 * separators. A heading inside the article is preferred. Null when there is none.
 */
function findVisibleHeadline(document: PageDocument, documentTitle: string): string | null {
  const fullTitle = normalizedLetters(documentTitle);
  const parts = documentTitle.split(separators).map(normalizedLetters);
  const repeatedHeadings = [...document.querySelectorAll('h1, h2, h3')]
    .slice(0, HEADINGS_MAX)
    .map((heading) => ({
      text: lineOf(heading),
      isInside: heading.closest(articleSelector) !== null,
    }))
    .filter(({ text }) => {
      const headingLetters = normalizedLetters(text);
      if (headingLetters.length <= 3 || !fullTitle.includes(headingLetters)) return false;
      return headingLetters.length > fullTitle.length * 0.4 || parts.includes(headingLetters);
    });
  const insideHeadings = repeatedHeadings.filter(({ isInside }) => isInside);
  const texts = (insideHeadings.length > 0 ? insideHeadings : repeatedHeadings).map(
    ({ text }) => text,
  );
  // The longest heading wins. A shorter heading names the site or a section.
  return texts.reduce<string | null>(
    (best, text) => (text.length > (best ?? '').length ? text : best),
    null,
  );
}

const separators = / [|–—·»] | - | :: |_/;
const articleSelector = 'article, main, [role="main"], .hentry, .post, [itemprop="articleBody"]';

/** A limit, because an endless list has thousands of headings. */
const HEADINGS_MAX = 200;

/**
 * Removes the site's name at the end. A title without this name, such as "Headline - Section", is
 * cut after its first part. The first part must be long enough for a headline, and at least as long
 * as the other parts together.
 */
function removeSiteName(title: string, site: string | null): string {
  if (site !== null && site !== '') {
    for (const separator of [' - ', ' | ', ' – ', ' — ', ' · ', ' :: ', '_', '-', '|']) {
      if (title.endsWith(separator + site))
        return title.slice(0, -(separator + site).length).trim();
    }
  }
  const parts = title.split(separators);
  if (parts.length === 1) return title;
  const [first = '', ...otherParts] = parts;
  const isHeadline = first.length >= 12 || (/\p{Script=Han}/u.test(first) && first.length >= 6);
  if (isHeadline && otherParts.join('').length <= first.length) return first.trim();
  return title;
}

/** The authors in the page's own spelling. Names of one word are left out. */
export function findAuthors(document: PageDocument, data: ArticleData | null): readonly string[] {
  const authorElements = [...document.querySelectorAll('[rel~="author"], [itemprop~="author"]')];
  const names = [
    ...(data?.authors ?? []),
    readMeta(document, ['author', 'article:author', 'byl', 'parsely-author']) ?? '',
    ...authorElements.map(lineOf),
  ];
  return names
    .map((name) => name.replace(/^by /i, '').trim())
    .filter((name) => /\S\s+\S/.test(name));
}

const dateMetas = [
  'article:published_time',
  'og:article:published_time',
  'datePublished',
  'publishdate',
  'publish-date',
  'pubdate',
  'date.created',
  'dc.date.issued',
  'dcterms.created',
  'dc.date',
  'date',
  'sailthru.date',
  'parsely-pub-date',
  'article.published',
  'weibo:article:create_at',
  'og:release_date',
  'citation_publication_date',
];

type DateContext = {
  readonly title: string | null;
  readonly url: string;
  readonly language: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** RFC 3339 UTC; null when the page has no readable time. */
export function findPublishedAt(
  document: PageDocument,
  data: ArticleData | null,
  { title, url, language, now }: DateContext,
): string | null {
  const timeZone = language?.startsWith('zh') === true ? 'Asia/Shanghai' : 'UTC';
  const readDate = (text: string | null | undefined) =>
    text == null ? null : parseHumanDate(text, { now, timeZone, order: 'auto' });
  return (
    readDate(data?.datePublished) ??
    readDate(readMeta(document, dateMetas)) ??
    readDate(attributeOf(document, '[itemprop~="datePublished"]', ['content', 'datetime'])) ??
    readDate(headingLine(document.querySelector('[itemprop~="datePublished"]'))) ??
    readDate(attributeOf(document, 'article time[datetime], main time[datetime]', ['datetime'])) ??
    readDate(attributeOf(document, 'time[datetime]', ['datetime'])) ??
    readDate(attributeOf(document, 'abbr.published, .published[title]', ['title'])) ??
    readDate(findVisibleDate(document)) ??
    findDateAfterTitle(document, title, readDate) ??
    readDate(/\/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=\/|-|\.|$)/.exec(url)?.slice(1).join('-'))
  );
}

const dateSelectors =
  'time, [class*="date" i], [id*="date" i], [class*="pubtime" i], [id*="pubtime" i], ' +
  '[class*="pub-time" i], [class*="publish" i], [class*="article-time" i], [class="time"], ' +
  '[class="info"]';
/** Names of other dates, such as today's date in a masthead, and words that contain "date". */
const otherDates = /current|today|header|masthead|update|candidate|consolidate|mandate/i;

function findVisibleDate(document: PageDocument): string | null {
  for (const element of document.querySelectorAll(dateSelectors)) {
    if (otherDates.test(`${element.getAttribute('class')} ${element.id}`)) continue;
    const text = lineOf(element);
    if (text.length < 100 && /\d/.test(text) && /\d{4}|[月日]|ago|前/.test(text)) return text;
  }
  return null;
}

const NEAR_TITLE_BLOCKS = 12;
const fullDate = new RegExp(
  String.raw`\d{4}\s*[-/.年]\s*\d{1,2}|\d{1,2}\W+[A-Z][a-z]{2,8}\W+\d{4}|` +
    String.raw`[A-Z][a-z]{2,8}\W+\d{1,2}\W+\d{4}`,
);

/** A full date in a short line after the headline, or in a later line with a label. */
function findDateAfterTitle(
  document: PageDocument,
  title: string | null,
  readDate: (text: string) => string | null,
): string | null {
  if (title === null) return null;
  const blocks = blocksOf(document.body);
  const index = blocks.findIndex(
    ({ text }) => normalizedLetters(text) === normalizedLetters(title),
  );
  if (index === -1) return null;
  const isDateLine = ({ text }: TextBlock) => text.length < 80 && fullDate.test(text);
  const blocksAfterTitle = blocks
    .slice(index + 1, index + 1 + NEAR_TITLE_BLOCKS)
    .filter(isDateLine);
  const laterBlocks = blocks
    .slice(index + 1 + NEAR_TITLE_BLOCKS)
    .filter((block) => isDateLine(block) && publishedLabel.test(block.text));
  for (const { text } of [...blocksAfterTitle, ...laterBlocks]) {
    const date = readDate(text);
    if (date !== null) return date;
  }
  return null;
}

const publishedLabel = /^(发布|发表|编辑|published|posted)/i;

/** BCP 47; null when unknown. A declaration that contradicts the text is ignored. */
export function findLanguage(
  document: PageDocument,
  data: ArticleData | null,
  text: string,
): string | null {
  const declaredTag = [
    document.documentElement.getAttribute('lang'),
    document.documentElement.getAttribute('xml:lang'),
    data?.language ?? null,
    readMeta(document, ['content-language', 'language', 'og:locale', 'dc.language']),
  ]
    .map((value) => canonicalTag(value))
    .find((tag) => tag !== null);
  const script = detectByScript(text);
  if (script === null) return declaredTag ?? null;
  if (script === 'latin') {
    if (declaredTag === undefined) return detectByCommonWords(text);
    return /^(zh|ja|ko|ru|uk|ar|he|el|th|hi)$/.test(primaryLanguage(declaredTag))
      ? null
      : declaredTag;
  }
  const isSameLanguage = declaredTag !== undefined && primaryLanguage(declaredTag) === script;
  return isSameLanguage ? declaredTag : script;
}

const commonWords: Readonly<Record<string, RegExp>> = {
  en: /\b(the|and|of|to|in|that|was|for|with|is)\b/gi,
  de: /\b(der|die|und|das|ist|nicht|ein|mit|von|zu)\b/gi,
  fr: /\b(le|la|les|et|des|est|une|que|dans|pour)\b/gi,
  es: /\b(el|los|las|que|una|por|con|para|del|y)\b/gi,
  pt: /\b(o|os|uma|que|não|com|para|em|do|da)\b/gi,
  it: /\b(il|che|di|per|una|con|non|gli|della|sono)\b/gi,
  nl: /\b(de|het|een|van|en|dat|niet|op|zijn|voor)\b/gi,
};

/** Detects the language by the share of its frequent words; null without a clear lead. */
function detectByCommonWords(text: string): string | null {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const counts = Object.entries(commonWords)
    .map(([language, pattern]) => ({ language, count: text.match(pattern)?.length ?? 0 }))
    .sort((a, b) => b.count - a.count);
  // Natural text has a larger share of these words, and a clear lead over the next language.
  const [best, second] = counts;
  if (best === undefined || best.count < words * 0.12) return null;
  return best.count > 1.3 * (second?.count ?? 0) ? best.language : null;
}

function canonicalTag(value: string | null): string | null {
  const first =
    value
      ?.trim()
      .replace('_', '-')
      .split(/[,;\s]/)[0] ?? '';
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(first)) return null;
  try {
    return new Intl.Locale(first).toString();
  } catch {
    return null;
  }
}

/**
 * The language that the script proves, or `latin` for any language in Latin script. Null for a
 * short text or mixed scripts.
 */
function detectByScript(text: string): string | null {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  if (letters < 20) return null;
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(/\p{Script=Han}/gu);
  if (kana / letters > 0.1) return 'ja';
  if (count(/\p{Script=Hangul}/gu) / letters > 0.3) return 'ko';
  if (han / letters > 0.3) return 'zh';
  return count(/\p{Script=Latin}/gu) / letters > 0.7 ? 'latin' : null;
}

function readMeta(document: PageDocument, names: readonly string[]): string | null {
  const values = new Map<string, string>();
  for (const element of document.querySelectorAll('meta[content]')) {
    const name = ['property', 'name', 'itemprop', 'http-equiv']
      .map((attribute) => element.getAttribute(attribute))
      .find((value) => value !== null && value !== undefined);
    const content = cleanText(element.getAttribute('content'));
    if (name != null && content !== null && !values.has(name.toLowerCase())) {
      values.set(name.toLowerCase(), content);
    }
  }
  for (const name of names) {
    const content = values.get(name.toLowerCase());
    if (content !== undefined) return content;
  }
  return null;
}

function attributeOf(
  document: PageDocument,
  selector: string,
  names: readonly string[],
): string | null {
  const element = document.querySelector(selector);
  for (const name of names) {
    const value = cleanText(element?.getAttribute(name));
    if (value !== null) return value;
  }
  return null;
}

function headingLine(element: PageElement | null): string | null {
  return element === null ? null : lineOf(element) || null;
}

function cleanText(text: string | null | undefined): string | null {
  return text == null ? null : cleanLine(text) || null;
}
