// Chooses the link to an entry's article: the alternate link, preferably of type HTML.
import { attributeOf, textWithin, type XmlElement } from './parse-xml.ts';
import { resolveLink } from './resolve-link.ts';

export type EntryLink = {
  readonly href: string;
  readonly base: string | null;
  /** `alternate` by default; `original` for the publisher's own address in a feed service. */
  readonly rel: string;
  /** Media type in lower case; empty when absent. */
  readonly type: string;
};

/**
 * RSS writes the address as text, Atom as `href`, some feeds as `url` or `rdf:resource`. The first
 * of them that is a web address counts: an attribute can hold another identifier (`at://…`).
 */
export function linkOf(element: XmlElement): EntryLink {
  const attributes = ['href', 'url', 'uri', 'rdf:resource']
    .map((name) => attributeOf(element, name) ?? '')
    .filter((value) => value.trim() !== '');
  // Some feeds escape the address twice. No address contains `&amp;`.
  const text = textWithin(element).trim().replaceAll('&amp;', '&');
  const candidates = [...attributes, text];
  const rel = (attributeOf(element, 'rel') ?? 'alternate').trim().toLowerCase();
  return {
    href: candidates.find((href) => resolveLink(href, element.base)) ?? candidates[0] ?? text,
    base: element.base,
    // RFC 4287, 4.2.7.2: a registered relation may be written as its registry address.
    rel: rel === '' ? 'alternate' : rel.slice(rel.lastIndexOf('/') + 1),
    type: (attributeOf(element, 'type') ?? '').trim().toLowerCase(),
  };
}

/** `<link/>http://…`: software that treats RSS as HTML writes the address after the element. */
export function findLinksAfterElement(item: XmlElement): readonly EntryLink[] {
  return item.children.flatMap((child, index) => {
    const before = item.children[index - 1];
    if (child.kind !== 'text' || before?.kind !== 'element' || before.name !== 'link') return [];
    if (before.children.length > 0 || before.attributes.length > 0) return [];
    return [{ href: child.text, base: null, rel: 'alternate', type: '' }];
  });
}

export function findOriginalLink(element: XmlElement): EntryLink {
  return { href: textWithin(element), base: element.base, rel: 'original', type: '' };
}

const isPage = (type: string) =>
  type === '' || type.startsWith('text/html') || type.startsWith('application/xhtml');

const linkPreferences: readonly ((link: EntryLink) => boolean)[] = [
  ({ rel }) => rel === 'original',
  ({ rel, type }) => rel === 'alternate' && isPage(type),
  ({ rel }) => rel === 'alternate',
  ({ rel }) => rel === 'content',
];

/** An absolute http or https address; null when no link has one. */
export function chooseLink(links: readonly EntryLink[]): string | null {
  for (const isPreferred of linkPreferences) {
    for (const link of links) {
      const url = isPreferred(link) ? resolveLink(link.href, link.base) : null;
      if (url !== null) return url;
    }
  }
  return null;
}
