// Reads the article's properties from a page's JSON-LD (schema.org).
import type { PageDocument } from './dom.ts';

export type ArticleData = {
  readonly headline: string | null;
  readonly body: string | null;
  readonly datePublished: string | null;
  readonly language: string | null;
  readonly authors: readonly string[];
};

const articleTypes =
  /(Article|NewsArticle|BlogPosting|Report|SocialMediaPosting|LiveBlogPosting|TechArticle)$/;

type JsonLdObject = Readonly<Record<string, unknown>>;

/** The article object with the longest body; null when there is none. */
export function articleDataOf(document: PageDocument): ArticleData | null {
  const articles: JsonLdObject[] = [];
  for (const script of document.querySelectorAll('script[type*="ld+json"]')) {
    collectArticles(parseLoosely(script.textContent ?? ''), articles, 0);
  }
  const rankedArticles = articles.sort(
    (a, b) => (textOf(b.articleBody)?.length ?? 0) - (textOf(a.articleBody)?.length ?? 0),
  );
  const bestArticle = rankedArticles[0];
  if (bestArticle === undefined) return null;
  return {
    headline: textOf(bestArticle.headline) ?? textOf(bestArticle.name),
    body: textOf(bestArticle.articleBody),
    datePublished: textOf(bestArticle.datePublished) ?? textOf(bestArticle.dateCreated),
    language: textOf(bestArticle.inLanguage),
    authors: [bestArticle.author].flat().flatMap(nameOf),
  };
}

/** Publishers leave raw line breaks and comment marks in their JSON. */
function parseLoosely(text: string): unknown {
  const json = text.replace(/^\s*(<!--|\/\*<!\[CDATA\[\*\/|<!\[CDATA\[)|(-->|\]\]>)\s*$/g, '');
  for (const attempt of [json, json.replace(/\p{Cc}+/gu, ' ')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // Try the next repair; return no data after the last one.
    }
  }
  return null;
}

/** JSON-LD nests without limit; an article is near the top. */
const DEPTH_MAX = 6;
const LIST_ITEMS_MAX = 100;

function collectArticles(value: unknown, articles: JsonLdObject[], depth: number): void {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const part of value.slice(0, LIST_ITEMS_MAX)) collectArticles(part, articles, depth + 1);
    return;
  }
  const object = value as JsonLdObject;
  const types = [object['@type']].flat().map(String);
  if (types.some((type) => articleTypes.test(type))) articles.push(object);
  for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement']) {
    collectArticles(object[key], articles, depth + 1);
  }
}

function nameOf(author: unknown): readonly string[] {
  if (typeof author === 'string') return [author];
  if (typeof author !== 'object' || author === null || !('name' in author)) return [];
  return typeof author.name === 'string' ? [author.name] : [];
}

function textOf(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first : null;
}
