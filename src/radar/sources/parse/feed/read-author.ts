// Reads author names. Feeds write `Ann <ann@example.org>`, `ann@example.org (Ann)`, `Ann
// (ann@example.org)`, person elements and lists. The email address is omitted when there is a name.
import { elementsOf, textWithin, type XmlElement } from './parse-xml.ts';
import { looksLikeHtml, plainLine } from './read-text.ts';

const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?:\?subject=\S*)?/;

/** A person element (name, email, uri) or an element with text. */
export function authorOf(element: XmlElement): string | null {
  const parts = new Map(elementsOf(element).map((child) => [child.name, child] as const));
  for (const name of ['name', 'itunes:name', 'foaf:name', 'rdf:description', 'email']) {
    const part = parts.get(name);
    const text = part ? authorFrom(textWithin(part)) : null;
    if (text !== null) return text;
  }
  if ([...parts.keys()].some((name) => name === 'uri' || name === 'url')) return null;
  return authorFrom(textWithin(element));
}

/** A name from free text; the email address when there is no name. */
export function authorFrom(source: string): string | null {
  const line = plainLine(source.slice(0, 2_000), looksLikeHtml(source));
  if (line === null) return null;
  const text = line.replace(/\bmailto:/gi, '');
  const address = email.exec(text)?.[0];
  if (address === undefined) return unquote(text);
  const name = text
    .replace(address, ' ')
    .replace(/\(\s*\)|<\s*>|\[\s*\]|&lt;\s*&gt;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[(<[]\s*(.*?)\s*[)>\]]$/, '$1')
    .replace(/^[,;:\s-]+|[,;:\s-]+$/g, '');
  return unquote(name) ?? address.replace(/\?subject=.*$/, '');
}

function unquote(text: string): string | null {
  const name = text.replace(/^(["'])(.*)\1$/, '$2').trim();
  return name === '' ? null : name;
}

/** One line for several people, each named once. */
export function authorsLine(names: readonly (string | null)[]): string | null {
  const uniqueNames = [...new Set(names.filter((name) => name !== null))].slice(0, 20);
  return uniqueNames.length === 0 ? null : uniqueNames.join(', ');
}
