// RSS 0.9x to 2.0, RDF, Atom 0.3 and 1.0, CDF, and what lies between them, from the tree of the
// document: which element is the feed, which are its items, and what it says for all of them.
import type { Entry, FeedFormat, Reading } from '../entry.ts';
import { attributeOf, childOf, elementsOf, textWithin, type XmlElement } from './parse-xml.ts';
import { authorOf, authorsLine } from './read-author.ts';
import { type FeedContext, readEntry } from './read-entry.ts';
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

/** Null when no element of the document is a feed. */
export function readXmlFeed(document: XmlElement): Omit<Reading, 'warnings'> | null {
  const root = findRoot(document, 0);
  const format = root && formats.get(root.name);
  if (!root || !format) return null;
  const head = headOf(root);
  const context: FeedContext = {
    author: format === 'atom' ? authorsLine(authorsOf(head)) : null,
    language: languageOf(head) ?? head.language ?? root.language,
  };
  // Broken feeds have items beside their root as well as in it.
  const items = isItem(root) && document !== root ? itemsIn(document, 0) : itemsIn(root, 0);
  const entries = items.map((item) => readEntry(item, context)).filter(saysSomething);
  // `item` and `entry` are also other documents' words: alone they have to say something.
  if (isItem(root) && entries.length === 0) return null;
  const title = childOf(head, 'title') ?? childOf(head, 'dc:title') ?? childOf(root, 'title');
  return { format, title: title && !isItem(root) ? lineOf(title, 'guess') : null, entries };
}

/** Broken documents put things around their root; a feed is not far from the top. */
const MAX_ROOT_DEPTH = 6;

function findRoot(element: XmlElement, depth: number): XmlElement | null {
  const children = elementsOf(element);
  const found = children.find(({ name }) => formats.has(name) && name !== 'item');
  if (found) return found;
  const item = children.find(isItem);
  if (item) return item;
  if (depth >= MAX_ROOT_DEPTH) return null;
  for (const child of children) {
    const inner = findRoot(child, depth + 1);
    if (inner) return inner;
  }
  return null;
}

/** RSS keeps the feed's own facts in its channel. */
function headOf(root: XmlElement): XmlElement {
  if (root.name === 'feed' || root.name === 'channel' || isItem(root)) return root;
  return childOf(root, 'channel') ?? root;
}

const isItem = ({ name }: XmlElement) => name === 'item' || name === 'entry';

/** What holds texts or other feeds holds no items of this one. */
const closed = new Set(
  'content content:encoded description summary image textinput source'.split(' '),
);

/** The tree's depth is bounded (`parse-xml.ts`), so is this recursion. */
function itemsIn(element: XmlElement, depth: number): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (isItem(child)) return [child];
    return closed.has(child.name) || depth > 20 ? [] : itemsIn(child, depth + 1);
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

function saysSomething(entry: Entry): boolean {
  const { language: _, ...facts } = entry;
  return Object.values(facts).some((fact) => fact !== null);
}
