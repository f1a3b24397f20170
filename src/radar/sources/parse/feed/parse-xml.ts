// A tolerant XML parser. An element without a closing tag ends at a following tag. A closing tag
// without an opening tag is ignored. Names have one spelling for all prefixes and cases.
import { requirePresent } from '../../../../kernel/errors/assert.ts';
import { readTokens } from '../../../../kernel/text/markup.ts';
import { type FetchWarning, FetchWarnings, fetchWarning } from '../../fetch/fetch-warning.ts';
import { resolveLink } from './resolve-link.ts';
import { Entities } from './xml-entities.ts';
import { canonicalName, emptyScope, type NamespaceScope, openScope } from './xml-names.ts';

export type XmlAttribute = {
  /** Canonical (`xml-names.ts`). */
  readonly name: string;
  /** As written. */
  readonly tag: string;
  readonly value: string;
};

export type XmlElement = {
  readonly kind: 'element';
  readonly name: string;
  readonly tag: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
  /** The absolute `xml:base` of the element or its nearest ancestor; null when there is none. */
  readonly base: string | null;
  /** The `xml:lang` of the element or its nearest ancestor, as written. It may be empty. */
  readonly language: string | null;
};

export type XmlNode = XmlElement | { readonly kind: 'text'; readonly text: string };

export type XmlDocument = {
  /** Parent of all elements without a parent in the document. */
  readonly root: XmlElement;
  readonly warnings: readonly FetchWarning[];
};

type OpenElement = {
  readonly element: XmlElement;
  /** The name in the closing tag. */
  readonly key: string;
  readonly children: XmlNode[];
  readonly scope: NamespaceScope;
};

/** The text of deeper elements becomes text of the element at this depth. */
const MAX_DEPTH = 200;
/** A node needs about 200 bytes; a real feed of 10 MiB has about 100,000 nodes. */
const MAX_NODES = 600_000;

/** Linear in the source. `base` is the document's address. */
export function parseXml(source: string, base: string | null): XmlDocument {
  const tree = new Tree(base);
  for (const token of readTokens(source)) {
    if (tree.nodes > MAX_NODES) {
      tree.warnings.add(fetchWarning('xml-many'));
      break;
    }
    switch (token.kind) {
      case 'text':
        tree.addText(tree.entities.resolve(token.text));
        break;
      case 'cdata':
        tree.addText(token.text);
        break;
      case 'open':
        tree.open(token.name, token.attributes, token.isSelfClosing);
        break;
      case 'close':
        tree.close(token.name);
        break;
      case 'doctype':
        tree.entities.declare(token.text);
        break;
      case 'cut':
        tree.warnings.add(fetchWarning('xml-in-tag'));
        break;
      default:
    }
  }
  return { root: tree.end(), warnings: tree.warnings.all };
}

/** Elements that contain only text. The next feed element closes them. */
const textElements = new Set(
  (
    'title link guid pubdate id updated published modified issued created category comments ' +
    'language generator copyright rights tagline subtitle docs ttl webmaster managingeditor ' +
    'lastbuilddate dc:title dc:date dc:creator dc:subject dc:language dc:publisher dc:rights ' +
    'dcterms:issued dcterms:modified dcterms:created enclosure itunes:author'
  ).split(' '),
);
const feedElements = new Set([
  ...textElements,
  ...(
    'channel item entry description summary content author image textinput content:encoded ' +
    'dc:description'
  ).split(' '),
]);
const itemElements = new Set(['item', 'entry']);
const emptyInHtml = new Set(['br', 'hr', 'img', 'wbr']);

class Tree {
  readonly warnings = new FetchWarnings();
  readonly entities = new Entities();
  nodes = 0;
  readonly #stack: OpenElement[];
  /** Open elements beyond the maximum depth. */
  #ignoredCount = 0;

  constructor(base: string | null) {
    const children: XmlNode[] = [];
    const element: XmlElement = {
      kind: 'element',
      name: '',
      tag: '',
      attributes: [],
      children,
      base,
      language: null,
    };
    this.#stack = [{ element, key: '', children, scope: emptyScope }];
  }

  get #top(): OpenElement {
    return requirePresent(this.#stack.at(-1), 'the document itself');
  }

  addText(text: string): void {
    if (text === '') return;
    this.nodes += 1;
    this.#top.children.push({ kind: 'text', text });
  }

  open(
    tag: string,
    writtenAttributes: readonly (readonly [string, string])[],
    isEmpty: boolean,
  ): void {
    const scope = openScope(this.#top.scope, writtenAttributes);
    const name = canonicalName(tag, scope, false);
    this.#closeBefore(name);
    if (this.#stack.length > MAX_DEPTH) {
      if (!isEmpty) this.#ignoredCount += 1;
      this.warnings.add(fetchWarning('xml-deep'));
      return;
    }
    const attributes = writtenAttributes.map(([attribute, value]) => ({
      name: canonicalName(attribute, scope, true),
      tag: attribute,
      value: this.entities.resolve(value),
    }));
    this.nodes += 1 + attributes.length;
    const parent = this.#top.element;
    const children: XmlNode[] = [];
    const element: XmlElement = {
      kind: 'element',
      name,
      tag,
      attributes,
      children,
      base: baseOf(name, attributes, parent.base),
      language: languageOf(attributes, parent.language),
    };
    this.#top.children.push(element);
    if (!isEmpty && !emptyInHtml.has(name)) {
      this.#stack.push({ element, key: keyOf(tag), children, scope });
    }
  }

  /** Closes elements that must have ended before an opening tag of this name. */
  #closeBefore(name: string): void {
    if (itemElements.has(name)) {
      const lastItem = this.#stack.findLastIndex(({ element }) => itemElements.has(element.name));
      const openElements = this.#stack.slice(lastItem + 1);
      // An entry inside Atom content belongs to the content.
      if (lastItem > 0 && !openElements.some(({ element }) => element.name === 'content')) {
        this.#stack.length = lastItem;
        this.warnings.add(fetchWarning('xml-unclosed', name));
        return;
      }
    }
    if (textElements.has(this.#top.element.name) && feedElements.has(name)) {
      this.warnings.add(fetchWarning('xml-unclosed', this.#top.element.name));
      this.#stack.pop();
    }
  }

  close(tag: string): void {
    if (this.#ignoredCount > 0) {
      this.#ignoredCount -= 1;
      return;
    }
    const closedKey = keyOf(tag);
    const index = this.#stack.findLastIndex(({ key }) => key === closedKey);
    if (index > 0) this.#stack.length = index;
    else this.warnings.add(fetchWarning('xml-stray'));
  }

  end(): XmlElement {
    if (this.#stack.length > 1) this.warnings.add(fetchWarning('xml-cut'));
    const [document] = this.#stack;
    return (document ?? this.#top).element;
  }
}

const keyOf = (tag: string) => tag.slice(0, 200).toLowerCase();

/** CDF and some early feeds use `base` without the prefix. */
const unprefixedBase = new Set(['rss', 'rdf:rdf', 'channel', 'feed', 'item', 'entry', 'content']);

function baseOf(
  name: string,
  attributes: readonly XmlAttribute[],
  inherited: string | null,
): string | null {
  for (const attribute of attributes) {
    if (attribute.name !== 'xml:base' && !(attribute.name === 'base' && unprefixedBase.has(name)))
      continue;
    return resolveLink(attribute.value, inherited) ?? inherited;
  }
  return inherited;
}

function languageOf(attributes: readonly XmlAttribute[], inherited: string | null): string | null {
  const languageAttribute = attributes.find(({ name }) => name === 'xml:lang' || name === 'lang');
  return languageAttribute === undefined ? inherited : languageAttribute.value.trim().slice(0, 100);
}

export function attributeOf(element: XmlElement, name: string): string | null {
  return element.attributes.find((attribute) => attribute.name === name)?.value ?? null;
}

export function elementsOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child.kind === 'element');
}

export function childOf(element: XmlElement, name: string): XmlElement | null {
  return elementsOf(element).find((child) => child.name === name) ?? null;
}

/** All text inside, without tags. The tree's depth limits the recursion. */
export function textWithin(element: XmlElement): string {
  return element.children
    .map((child) => (child.kind === 'text' ? child.text : textWithin(child)))
    .join('');
}
