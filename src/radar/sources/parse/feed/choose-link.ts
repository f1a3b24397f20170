// Which of an entry's links is the article: the alternate one, as a page if there is a choice.
import { attributeOf, textWithin, type XmlElement } from './parse-xml.ts';
import { resolveLink } from './resolve-link.ts';

export type Link = {
  readonly href: string;
  readonly base: string | null;
  /** `alternate` when not said; `original` where a feed service tells the publisher's own. */
  readonly rel: string;
  /** Media type, lower case; empty when not said. */
  readonly type: string;
};

/** RSS writes the address as text, Atom as `href`, some feeds as `url` or `rdf:resource`. */
export function linkOf(element: XmlElement): Link {
  const written = ['href', 'url', 'uri', 'rdf:resource']
    .map((name) => attributeOf(element, name))
    .find((value) => value !== null && value.trim() !== '');
  const rel = (attributeOf(element, 'rel') ?? 'alternate').trim().toLowerCase();
  return {
    // Text that was escaped twice: no address has `&amp;` in it.
    href: written ?? textWithin(element).trim().replaceAll('&amp;', '&'),
    base: element.base,
    // RFC 4287, 4.2.7.2: a registered relation may be written as its registry address.
    rel: rel === '' ? 'alternate' : rel.slice(rel.lastIndexOf('/') + 1),
    type: (attributeOf(element, 'type') ?? '').trim().toLowerCase(),
  };
}

/** `<link/>http://…`: software that took RSS for HTML writes the address after the element. */
export function linksBeside(item: XmlElement): readonly Link[] {
  return item.children.flatMap((child, index) => {
    const before = item.children[index - 1];
    if (child.kind !== 'text' || before?.kind !== 'element' || before.name !== 'link') return [];
    if (before.children.length > 0 || before.attributes.length > 0) return [];
    return [{ href: child.text, base: null, rel: 'alternate', type: '' }];
  });
}

export function originalLink(element: XmlElement): Link {
  return { href: textWithin(element), base: element.base, rel: 'original', type: '' };
}

const isPage = (type: string) =>
  type === '' || type.startsWith('text/html') || type.startsWith('application/xhtml');

const ranks: readonly ((link: Link) => boolean)[] = [
  ({ rel }) => rel === 'original',
  ({ rel, type }) => rel === 'alternate' && isPage(type),
  ({ rel }) => rel === 'alternate',
  ({ rel }) => rel === 'content',
];

/** Absolute, http or https; null when no link is one. */
export function chooseLink(links: readonly Link[]): string | null {
  for (const isWanted of ranks) {
    for (const link of links) {
      const url = isWanted(link) ? resolveLink(link.href, link.base) : null;
      if (url !== null) return url;
    }
  }
  return null;
}
