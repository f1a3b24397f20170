// Parses JSON Feed 1.0 and 1.1, including truncated documents and values of wrong types.
import type { ParsedEntry, ParsedFeed } from '../entry.ts';
import { authorFrom, authorsLine } from './read-author.ts';
import { readDate } from './read-date.ts';
import { languageTag } from './read-language.ts';
import {
  escapePlainText,
  htmlText,
  looksLikeHtml,
  plainIdentifier,
  plainLine,
} from './read-text.ts';
import { resolveLink } from './resolve-link.ts';

type JsonFields = { readonly [name: string]: unknown };

/** Null unless the value is an object with a JSON Feed version or with items of the right shape. */
export function readJsonFeed(
  value: unknown,
  url: string | null,
): Omit<ParsedFeed, 'warnings'> | null {
  if (!isFields(value)) return null;
  const version = textOf(value.version) ?? '';
  const items = Array.isArray(value.items) ? value.items.filter(isFields) : null;
  if (items === null && !/jsonfeed/i.test(version)) return null;
  if (!/jsonfeed/i.test(version) && !items?.some(isItem)) return null;
  const base = resolveLink(textOf(value.feed_url) ?? '', url) ?? url;
  const feed = {
    base: resolveLink(textOf(value.home_page_url) ?? '', base) ?? base,
    author: readAuthors(value),
    language: textOf(value.language),
  };
  const title = textOf(value.title);
  return {
    format: 'json',
    title: title === null ? null : plainLine(title, looksLikeHtml(title)),
    entries: (items ?? []).map((item) => readItem(item, feed)),
  };
}

type JsonFeedDefaults = {
  readonly base: string | null;
  readonly author: string | null;
  readonly language: string | null;
};

function readItem(item: JsonFields, feed: JsonFeedDefaults): ParsedEntry {
  const id = plainIdentifier(scalarOf(item.id) ?? '');
  const url = resolveLink(textOf(item.url) ?? '', feed.base);
  const html = textOf(item.content_html);
  const text = textOf(item.content_text);
  const summary = textOf(item.summary);
  const title = textOf(item.title);
  return {
    id,
    url:
      url ?? resolveLink(textOf(item.external_url) ?? '', feed.base) ?? resolveLink(id ?? '', null),
    title: title === null ? null : plainLine(title, looksLikeHtml(title)),
    // The standard requires plain text. Text that is clearly HTML is parsed as HTML.
    summary: looksLikeHtml(summary ?? '')
      ? htmlText(summary ?? '')
      : escapePlainText(summary ?? ''),
    content: html === null ? escapePlainText(text ?? '') : htmlText(html),
    author: readAuthors(item) ?? feed.author,
    publishedAt: readDate(scalarOf(item.date_published) ?? ''),
    updatedAt: readDate(scalarOf(item.date_modified) ?? ''),
    language: languageTag(textOf(item.language) ?? feed.language),
  };
}

/** Version 1.1 has `authors`, 1.0 has `author`. */
function readAuthors({ authors, author }: JsonFields): string | null {
  const people = Array.isArray(authors) ? authors : [author];
  return authorsLine(
    people.map((person) => {
      if (typeof person === 'string') return authorFrom(person);
      if (!isFields(person)) return null;
      return authorFrom(textOf(person.name) ?? '') ?? textOf(person.url);
    }),
  );
}

const isItem = (item: JsonFields) =>
  ['content_html', 'content_text', 'date_published'].some((name) => name in item) ||
  ('id' in item && ('url' in item || 'title' in item));

function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The standard: a numeric identifier equals the same number as a string. */
function scalarOf(value: unknown): string | null {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
}
