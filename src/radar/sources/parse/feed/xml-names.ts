// Canonical names of elements and attributes for any prefix. An element of the feed formats is
// `title`; an element of another format is `dc:creator` or `content:encoded`. Undeclared prefixes
// have their usual meaning.

const feedNamespaces = [
  'http://backend.userland.com/rss',
  'http://backend.userland.com/rss2',
  'http://backend.userland.com/rss091',
  'http://backend.userland.com/rss092',
  'http://backend.userland.com/rss093',
  'http://blogs.law.harvard.edu/tech/rss',
  'http://cyber.law.harvard.edu/rss',
  'http://purl.org/rss/1.0',
  'http://purl.org/rss/1.0/modules/rss091',
  'http://purl.org/net/rss1.1',
  'http://my.netscape.com/rdf/simple/0.9',
  'http://channel.netscape.com/rdf/simple/0.9',
  'http://my.netscape.com/publish/formats/rss-0.91.dtd',
  'http://example.com/newformat',
  'http://example.com/necho',
  'http://purl.org/echo',
  'uri/of/echo/namespace',
  'http://purl.org/pie',
  'http://purl.org/atom/ns',
  'http://www.w3.org/2005/atom',
];

const foreignNamespaces: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.0': 'dc',
  'http://purl.org/dc/elements/1.1': 'dc',
  'http://purl.org/dc/terms': 'dcterms',
  'http://purl.org/rss/1.0/modules/content': 'content',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
  'http://www.w3.org/1999/xhtml': 'xhtml',
  'http://www.w3.org/2000/svg': 'svg',
  'http://www.w3.org/1998/math/mathml': 'math',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.w3.org/xml/1998/namespace': 'xml',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://example.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://search.yahoo.com/mrss': 'media',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
  'http://purl.org/rss/1.0/modules/slash': 'slash',
  'http://wellformedweb.org/commentapi': 'wfw',
  'http://www.google.com/schemas/play-podcasts/1.0': 'googleplay',
};

const prefixByNamespace: ReadonlyMap<string, string> = new Map([
  ...feedNamespaces.map((uri) => [uri, ''] as const),
  ...Object.entries(foreignNamespaces),
]);

/** Prefixes of the feed formats' own namespaces. Feeds often omit or misspell the declaration. */
const ownPrefixes = new Set(['atom', 'atom03', 'atom10', 'a10', 'rss', 'rss10']);

/**
 * Maps a prefix (lower case, '' for the default) to the canonical prefix. The parent's declarations
 * are the fallback.
 */
export type NamespaceScope = { readonly [prefix: string]: string };

export const emptyScope: NamespaceScope = Object.create(null);

/** The scope inside an element that declares namespaces; the same scope otherwise. */
export function openScope(
  scope: NamespaceScope,
  attributes: readonly (readonly [string, string])[],
): NamespaceScope {
  let innerPrefixes: { [prefix: string]: string } | undefined;
  for (const [name, uri] of attributes) {
    const declaredPrefix = /^xmlns(?::(.*))?$/is.exec(name);
    if (!declaredPrefix) continue;
    innerPrefixes ??= Object.create(scope) as { [prefix: string]: string };
    const prefix = (declaredPrefix[1] ?? '').toLowerCase();
    const knownPrefix = prefixByNamespace.get(plainUri(uri));
    // Unknown namespace address: the prefix itself is used.
    innerPrefixes[prefix] = knownPrefix ?? (prefix === 'atom' ? '' : prefix);
  }
  return innerPrefixes ?? scope;
}

/** Documents differ from the standards in case, scheme and trailing slash. */
const plainUri = (uri: string) =>
  uri
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/[/#]+$/, '');

const canonicalPrefix = (prefix: string) => (ownPrefixes.has(prefix) ? '' : prefix);

/** `local`, or `prefix:local` with the canonical prefix, in lower case. */
export function canonicalName(tag: string, scope: NamespaceScope, isAttribute: boolean): string {
  const name = tag.slice(0, 200).toLowerCase();
  const colon = name.indexOf(':');
  if (colon < 0) {
    const prefix = isAttribute ? '' : (scope[''] ?? '');
    return prefix === '' ? name : `${prefix}:${name}`;
  }
  const writtenPrefix = name.slice(0, colon);
  const prefix = scope[writtenPrefix] ?? canonicalPrefix(writtenPrefix);
  const local = name.slice(colon + 1);
  return prefix === '' ? local : `${prefix}:${local}`;
}
