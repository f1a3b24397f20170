// Reads RSS 0.9x to 2.0, RDF, Atom 0.3 and 1.0, CDF and mixtures from an XML tree. It finds the
// feed element, its items and the values for all items.
import type { FeedFormat, ParsedEntry, ParsedFeed } from '../entry.ts';
import { attributeOf, childOf, elementsOf, textWithin, type XmlElement } from './parse-xml.ts';
import { authorOf, authorsLine } from './read-author.ts';
import { type FeedDefaults, readEntry } from './read-entry.ts';
import { lineOf } from './read-text.ts';

const formats: ReadonlyMap<string, FeedFormat> = new Map([
  ['rss', 'rss'],
  ['rdf:rdf', 'rdf'],
  ['rdf', 'rdf'],
  ['feed', 'atom'],
  ['entry', 'atom'],
  ['channel', 'rss'],
  ['item', 'rss'],
] as const);

/** Null when the document has no feed element. */
export function readXmlFeed(document: XmlElement): Omit<ParsedFeed, 'warnings'> | null {
  const root = findRoot(document, 0);
  const format = root && formats.get(root.name);
  if (!root || !format) return null;
  const head = findHead(root);
  const context: FeedDefaults = {
    author: format === 'atom' ? authorsLine(authorsOf(head)) : null,
    language: languageOf(head) ?? head.language ?? root.language,
  };
  // Broken feeds have items both beside and inside their root.
  const items = isItem(root) && document !== root ? findItems(document, 0) : findItems(root, 0);
  const entries = items.map((item) => readEntry(item, context)).filter(hasContent);
  // Other documents also use `item` and `entry`. Such an element alone must have content.
  if (isItem(root) && entries.length === 0) return null;
  const title = childOf(head, 'title') ?? childOf(head, 'dc:title') ?? childOf(root, 'title');
  return { format, title: title && !isItem(root) ? lineOf(title, 'guess') : null, entries };
}

/** Broken documents wrap their root in other elements; the feed is near the top. */
const MAX_ROOT_DEPTH = 6;

function findRoot(element: XmlElement, depth: number): XmlElement | null {
  const children = elementsOf(element);
  const feedElement = children.find(({ name }) => formats.has(name) && name !== 'item');
  if (feedElement) return feedElement;
  const item = children.find(isItem);
  if (item) return item;
  if (depth >= MAX_ROOT_DEPTH) return null;
  for (const child of children) {
    const innerRoot = findRoot(child, depth + 1);
    if (innerRoot) return innerRoot;
  }
  return null;
}

/** RSS keeps the feed's own properties in its channel. */
function findHead(root: XmlElement): XmlElement {
  if (root.name === 'feed' || root.name === 'channel' || isItem(root)) return root;
  return childOf(root, 'channel') ?? root;
}

const isItem = ({ name }: XmlElement) => name === 'item' || name === 'entry';

/** Elements with texts or other feeds contain no items of this feed. */
const opaqueElements = new Set(
  'content content:encoded description summary image textinput source'.split(' '),
);

/** Items are near the feed element. Deeper elements are not searched. */
const MAX_ITEM_DEPTH = 20;

function findItems(element: XmlElement, depth: number): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (isItem(child)) return [child];
    return opaqueElements.has(child.name) || depth > MAX_ITEM_DEPTH
      ? []
      : findItems(child, depth + 1);
  });
}

function authorsOf(head: XmlElement): (string | null)[] {
  return elementsOf(head)
    .filter(({ name }) => name === 'author' || name === 'dc:creator')
    .map(authorOf);
}

function languageOf(head: XmlElement): string | null {
  const element = childOf(head, 'language') ?? childOf(head, 'dc:language');
  const text = element === null ? attributeOf(head, 'xml:lang') : textWithin(element);
  return text === null || text.trim() === '' ? null : text;
}

function hasContent(entry: ParsedEntry): boolean {
  const { language: _, ...facts } = entry;
  return Object.values(facts).some((fact) => fact !== null);
}
