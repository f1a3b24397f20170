// Reads a text element in every encoding of the formats: escaped HTML, inline XHTML, plain text,
// base64, CDATA around any of them, and wrong declarations.
import { isUtf8 } from 'node:buffer';
import { escapeXml } from '../../../../kernel/text/escape-xml.ts';
import {
  decodeC1Controls,
  foldWhitespace,
  plainText,
  stripControl,
} from '../../../../kernel/text/text.ts';
import { mendUtf8 } from '../encodings/mend-utf-8.ts';
import { attributeOf, elementsOf, textWithin, type XmlElement, type XmlNode } from './parse-xml.ts';

export type TextEncoding = 'text' | 'html' | 'markup' | 'base64';

/** Format of an element without a `type`. `guess`: text, unless it is clearly HTML. */
export type DefaultFormat = 'guess' | 'html' | 'markup';

type TextValue = { readonly text: string; readonly isHtml: boolean };

/**
 * HTML of the element; null when empty. Plain text is escaped, so that HTML shows the same
 * characters. The HTML is external text as the feed wrote it. Callers use only its plain text or
 * its links. Output of the markup itself would need a sanitizer.
 */
export function htmlOf(element: XmlElement, defaultFormat: DefaultFormat): string | null {
  const { text, isHtml } = readTextValue(element, defaultFormat);
  return isHtml ? htmlText(text) : escapePlainText(text);
}

export function escapePlainText(text: string): string | null {
  const isAmbiguous = /<[a-z/!?]|&(?:#\w|[a-z]\w*;)/i.test(text);
  return htmlText(isAmbiguous ? escapeXml(text) : text);
}

/** External HTML in NFC without control characters; null when empty. */
export function htmlText(text: string): string | null {
  const html = cleanText(text).trim();
  return html === '' ? null : html;
}

/** One line of plain text; null when it is empty. */
export function lineOf(element: XmlElement, defaultFormat: DefaultFormat): string | null {
  const { text, isHtml } = readTextValue(element, defaultFormat);
  return plainLine(text, isHtml);
}

export function plainLine(text: string, isHtml: boolean): string | null {
  const line = foldWhitespace(cleanText(isHtml ? plainText(text) : text));
  return line === '' ? null : line;
}

/** Identifiers are only compared. Only characters that no text may contain are removed. */
export function plainIdentifier(text: string): string | null {
  const id = stripControl(text).trim();
  return id === '' ? null : id;
}

/**
 * NFC without control characters. C1 bytes are read as windows-1252, and doubly encoded UTF-8 is
 * repaired.
 */
function cleanText(text: string): string {
  return stripControl(decodeC1Controls(repairDoubleEncoding(text)));
}

/**
 * Repairs UTF-8 that was decoded as Latin-1 or windows-1252 and encoded again. The repair needs a
 * text that is completely valid UTF-8 as bytes, which does not occur by chance.
 */
function repairDoubleEncoding(text: string): string {
  if (
    !/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/.test(text)
  ) {
    return text;
  }
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const byte = code < 0x100 ? code : byteOfCp1252.get(code);
    if (byte === undefined) return text;
    bytes[index] = byte;
  }
  return isUtf8(bytes) ? mendUtf8(bytes).text : text;
}

const byteOfCp1252: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 32 }, (_, index) => [
    decodeC1Controls(String.fromCharCode(0x80 + index)).charCodeAt(0),
    0x80 + index,
  ]),
);

function readTextValue(element: XmlElement, defaultFormat: DefaultFormat): TextValue {
  const type = attributeOf(element, 'type');
  const encoding = encodingOf(type, attributeOf(element, 'mode'), defaultFormat);
  if (encoding === 'base64') return decodeBase64(textWithin(element), type);
  const children = elementsOf(element);
  const [firstChild] = children;
  if (children.length === 0) {
    const text = unwrapSource(textWithin(element));
    if (encoding === 'markup') return { text: escapeXml(text), isHtml: true };
    const isGuess = type === null && defaultFormat === 'guess';
    return { text, isHtml: encoding === 'html' || (isGuess && looksLikeHtml(text)) };
  }
  // Some software wraps escaped HTML in an inline div.
  if (encoding === 'html' && children.length === 1 && firstChild && isDiv(firstChild)) {
    if (elementsOf(firstChild).length === 0 && hasOnlyBlankText(element)) {
      return { text: unwrapSource(textWithin(firstChild)), isHtml: true };
    }
  }
  // RFC 4287, 3.1.1.3: the div around XHTML is not part of the content.
  const isWrapper =
    children.length === 1 && firstChild && isDiv(firstChild) && hasOnlyBlankText(element);
  const innerMarkup =
    isWrapper && encoding === 'markup' && type?.trim() === 'xhtml' ? firstChild : element;
  return { text: renderMarkup(innerMarkup.children), isHtml: true };
}

const isDiv = (element: XmlElement) => element.name === 'div' || element.name === 'xhtml:div';

function hasOnlyBlankText(element: XmlElement): boolean {
  return element.children.every((child) => child.kind === 'element' || child.text.trim() === '');
}

/** Atom 0.3 uses media types and a mode, Atom 1.0 keywords and media types. */
function encodingOf(
  type: string | null,
  mode: string | null,
  defaultFormat: DefaultFormat,
): TextEncoding {
  if (mode?.trim().toLowerCase() === 'base64') return 'base64';
  const name = (type ?? '').trim().toLowerCase().split(';')[0] ?? '';
  if (name === '') return defaultFormat === 'guess' ? 'text' : defaultFormat;
  if (name === 'text' || name === 'plain' || name === 'text/plain') return 'text';
  if (name === 'html' || name === 'text/html') return 'html';
  if (name === 'xhtml' || /(?:\/|\+)xml$/.test(name)) return 'markup';
  // RFC 4287, 4.1.3.3: any other media type that is not text is base64.
  return name.includes('/') && !name.startsWith('text/') ? 'base64' : 'text';
}

/** Empty when the bytes are not text, for example an image. */
function decodeBase64(text: string, type: string | null): TextValue {
  const bytes = Buffer.from(text, 'base64');
  const decoded = isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : '';
  return { text: decoded, isHtml: !/^\s*(?:text\/)?plain/i.test(type ?? '') };
}

/** Removes a CDATA section that was escaped or nested. */
function unwrapSource(source: string): string {
  const text = source.trim();
  if (!text.startsWith('<![CDATA[')) return text;
  return text.slice(9, text.endsWith(']]>') ? -3 : undefined).trim();
}

const inlineTags = new Set(
  `a abbr acronym address b big blockquote br center cite code dd del dfn div dl dt em font h1 h2
  h3 h4 h5 h6 hr i img ins kbd li nobr ol p pre q s samp small span strike strong sub sup table
  tbody td th tr tt u ul var wbr`.split(/\s+/),
);

/**
 * True for text that can only be HTML: it has a closing tag, a void tag or a reference, and only
 * HTML tags. In doubt the text stays plain, so that no character is lost.
 */
export function looksLikeHtml(text: string): boolean {
  const isTagged = /<\/[a-z][a-z0-9]*\s*>|<(?:br|hr|img|wbr)\b[^<>]*>/i.test(text);
  if (!isTagged && !/&(?:#\d{2,7}|#x[0-9a-f]{2,6}|[a-z][a-z0-9]{1,30});/i.test(text)) return false;
  for (const [, name = ''] of text.matchAll(/<\/?([a-z][\w:-]*)/gi)) {
    if (!inlineTags.has(name.toLowerCase())) return false;
  }
  return true;
}

/** Inline elements as HTML. The tree's depth limits the recursion. */
function renderMarkup(children: readonly XmlNode[]): string {
  return children
    .map((child) => (child.kind === 'text' ? escapeXml(child.text) : renderElement(child)))
    .join('');
}

function renderElement(element: XmlElement): string {
  const name = localName(element.tag);
  const attributes = element.attributes
    .filter(({ name: attribute }) => !attribute.startsWith('xmlns') && attribute !== 'xml:base')
    .map(({ tag, value }) => ` ${tag}="${escapeXml(value)}"`)
    .join('');
  const innerMarkup = renderMarkup(element.children);
  if (voidElements.has(name.toLowerCase())) return `<${name}${attributes} />${innerMarkup}`;
  return `<${name}${attributes}>${innerMarkup}</${name}>`;
}

const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1);

const voidElements = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
);
