// Converts an item (RSS, RDF, CDF) or entry (Atom) element to an entry. Feeds mix the formats, so
// their elements form one vocabulary.
import type { ParsedEntry } from '../entry.ts';
import {
  chooseLink,
  type EntryLink,
  findLinksAfterElement,
  findOriginalLink,
  linkOf,
} from './choose-link.ts';
import { attributeOf, childOf, elementsOf, textWithin, type XmlElement } from './parse-xml.ts';
import { authorOf, authorsLine } from './read-author.ts';
import { readDate } from './read-date.ts';
import { languageTag } from './read-language.ts';
import { type DefaultFormat, htmlOf, lineOf, plainIdentifier } from './read-text.ts';
import { resolveLink } from './resolve-link.ts';

/** Values that the feed declares once for all entries. */
export type FeedDefaults = {
  readonly author: string | null;
  readonly language: string | null;
};

type EntryDates = {
  published?: string;
  created?: string;
  publishedOrUpdated?: string;
  updated?: string;
};

class EntryDraft {
  title: string | null = null;
  mediaTitle: string | null = null;
  summary: string | null = null;
  content: string | null = null;
  id: string | null = null;
  permalink: string | null = null;
  language: string | null = null;
  /** Declared languages of the texts: content, summary, title. */
  readonly languages: { content?: string; summary?: string; title?: string } = {};
  readonly authors: (string | null)[] = [];
  readonly sourceAuthors: (string | null)[] = [];
  readonly links: EntryLink[] = [];
  readonly dates: EntryDates = {};
}

export function readEntry(element: XmlElement, feed: FeedDefaults): ParsedEntry {
  const draft = new EntryDraft();
  const rdfAbout = attributeOf(element, 'rdf:about');
  if (rdfAbout !== null) draft.id = resolveIdentifier(rdfAbout, element.base);
  readChannelAttributes(element, draft);
  for (const child of elementsOf(element)) readChild(child, draft);
  draft.links.push(...findLinksAfterElement(element));
  const { dates } = draft;
  const ownAuthor = authorsLine(draft.authors) ?? authorsLine(draft.sourceAuthors);
  return {
    id: draft.id,
    url: chooseLink(draft.links) ?? draft.permalink ?? webAddress(draft.id),
    title: draft.title ?? draft.mediaTitle,
    summary: draft.summary,
    content: draft.content,
    author: ownAuthor ?? feed.author,
    publishedAt: dates.published ?? dates.created ?? dates.publishedOrUpdated ?? null,
    updatedAt: dates.updated ?? dates.publishedOrUpdated ?? null,
    language: languageTag(
      textLanguage(draft) ?? draft.language ?? element.language ?? feed.language,
    ),
  };
}

/** The declared language of the content; without content, of the summary, then of the title. */
function textLanguage({ languages, content, summary }: EntryDraft): string | null {
  if (languages.content !== undefined) return languages.content;
  if (content === null && languages.summary !== undefined) return languages.summary;
  return content === null && summary === null ? (languages.title ?? null) : null;
}

/** In CDF (Channel Definition Format), an item's address and time are attributes. */
function readChannelAttributes(element: XmlElement, draft: EntryDraft): void {
  const modified = attributeOf(element, 'lastmod');
  const date = modified === null ? null : readDate(modified);
  if (date !== null) draft.dates.updated = date;
  const href = attributeOf(element, 'href');
  if (href !== null) draft.links.push({ href, base: element.base, rel: 'alternate', type: '' });
}

function readChild(child: XmlElement, draft: EntryDraft): void {
  switch (child.name) {
    case 'title':
    case 'dc:title':
      draft.title ??= lineOf(child, 'guess');
      recordLanguage(child, draft, 'title');
      return;
    case 'media:title':
    case 'itunes:title':
      draft.mediaTitle ??= lineOf(child, 'guess');
      return;
    case 'media:group':
    case 'media:content':
      readMedia(child, draft);
      return;
    case 'link':
      draft.links.push(linkOf(child));
      return;
    case 'content':
    case 'content:encoded':
    case 'fullitem':
    case 'body':
    case 'xhtml:body':
    case 'xhtml:div':
    case 'description':
    case 'dc:description':
    case 'itunes:summary':
    case 'summary':
    case 'abstract':
      readBody(child, draft);
      return;
    default:
      readField(child, draft);
  }
}

function readBody(child: XmlElement, draft: EntryDraft): void {
  if (isContent(child.name)) {
    const src = attributeOf(child, 'src');
    if (src !== null) draft.links.push({ href: src, base: child.base, rel: 'content', type: '' });
    const content = chooseContent(child);
    draft.content ??= htmlOf(content, contentDefault(child.name));
    recordLanguage(content, draft, 'content');
    return;
  }
  const text = htmlOf(child, child.name.endsWith('description') ? 'html' : 'guess');
  recordLanguage(child, draft, 'summary');
  if (draft.summary === null) draft.summary = text;
  // If an entry has two texts (`description` and `summary`), the second is the content.
  else if (draft.content === null && text !== draft.summary) draft.content = text;
}

/** Atom 0.3: of several alternatives the one with markup is the most complete. */
function chooseContent(element: XmlElement): XmlElement {
  if (!/^multipart\//i.test(attributeOf(element, 'type') ?? '')) return element;
  const parts = elementsOf(element).filter(({ name }) => name === 'content');
  return parts.find((part) => /html/i.test(attributeOf(part, 'type') ?? '')) ?? parts[0] ?? element;
}

const isContent = (name: string) => contentNames.has(name);
const contentNames = new Set(
  'content content:encoded fullitem body xhtml:body xhtml:div'.split(' '),
);

function contentDefault(name: string): DefaultFormat {
  if (name === 'content') return 'guess';
  return name.endsWith('body') || name.endsWith('div') ? 'markup' : 'html';
}

function recordLanguage(
  child: XmlElement,
  draft: EntryDraft,
  part: 'content' | 'summary' | 'title',
): void {
  const language = attributeOf(child, 'xml:lang');
  if (language !== null && language.trim() !== '') draft.languages[part] ??= language;
}

function readMedia(element: XmlElement, draft: EntryDraft): void {
  const title = childOf(element, 'media:title');
  const description = childOf(element, 'media:description');
  if (title) draft.mediaTitle ??= lineOf(title, 'guess');
  if (description) draft.summary ??= htmlOf(description, 'html');
  const group = element.name === 'media:group' ? childOf(element, 'media:content') : null;
  if (group) readMedia(group, draft);
}

function readField(child: XmlElement, draft: EntryDraft): void {
  const { dates } = draft;
  switch (child.name) {
    case 'guid':
    case 'id':
      readIdentifier(child, draft);
      return;
    case 'dc:identifier':
      draft.id ??= plainIdentifier(textWithin(child));
      return;
    case 'author':
    case 'dc:creator':
    case 'dc:author':
    case 'managingeditor':
      draft.authors.push(authorOf(child));
      return;
    case 'itunes:author':
    case 'googleplay:author':
      if (draft.authors.length === 0) draft.authors.push(authorOf(child));
      return;
    case 'source':
      draft.sourceAuthors.push(...elementsOf(child).filter(isAuthor).map(authorOf));
      return;
    case 'language':
    case 'dc:language':
      draft.language ??= textWithin(child);
      return;
    case 'media:description':
      draft.summary ??= htmlOf(child, 'html');
      return;
    case 'feedburner:origlink':
    case 'pheedo:origlink':
      draft.links.push(findOriginalLink(child));
      return;
    default: {
      const role = dateRoles.get(child.name);
      const date = role === undefined ? null : readDate(textWithin(child));
      if (role !== undefined && date !== null) dates[role] ??= date;
    }
  }
}

const isAuthor = (element: XmlElement) => element.name === 'author';

/** Dublin Core's `date` has no defined role. It fills a missing date. */
const dateRoles: ReadonlyMap<string, keyof EntryDates> = new Map([
  ['pubdate', 'published'],
  ['published', 'published'],
  ['issued', 'published'],
  ['prism:publicationdate', 'published'],
  ['dcterms:issued', 'published'],
  ['created', 'created'],
  ['dcterms:created', 'created'],
  ['dc:date', 'publishedOrUpdated'],
  ['date', 'publishedOrUpdated'],
  ['dcterms:date', 'publishedOrUpdated'],
  ['updated', 'updated'],
  ['modified', 'updated'],
  ['lastbuilddate', 'updated'],
  ['dcterms:modified', 'updated'],
]);

function readIdentifier(child: XmlElement, draft: EntryDraft): void {
  const text = plainIdentifier(textWithin(child));
  if (text === null) return;
  const permalinkValue = attributeOf(child, 'ispermalink')?.trim().toLowerCase() ?? 'default';
  // RSS 2.0: a guid is an address unless `isPermaLink` is false.
  if (permalinkValue === 'false') draft.id = text;
  else {
    draft.id = resolveIdentifier(text, child.base);
    const canBeRelative = permalinkValue === 'true' && child.name === 'guid';
    draft.permalink ??= canBeRelative ? resolveLink(text, child.base) : webAddress(draft.id);
  }
}

/** An identifier in the form of a path is resolved against the feed. Others stay unchanged. */
function resolveIdentifier(text: string, base: string | null): string | null {
  const id = plainIdentifier(text);
  if (id === null) return null;
  return /^\.{0,2}\//.test(id) ? (resolveLink(id, base) ?? id) : id;
}

const webAddress = (id: string | null) => (id === null ? null : resolveLink(id, null));
