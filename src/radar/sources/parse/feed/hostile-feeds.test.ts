// Documents that are expensive to parse, some megabytes each. A parser with quadratic time exceeds
// the test's time limit.
import { expect, test } from 'vitest';
import { readFeed } from './read-feed.ts';

const SIZE = 3_000_000;
const repeat = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));
const item = (inner: string) => `<rss><channel><item><title>t</title>${inner}`;
const description = (inner: string) => item(`<description>${inner}</description></item>`);

const documents: Readonly<Record<string, string>> = {
  'open tags': repeat('<a>'),
  'closing tags without an element': `<rss>${repeat('</a>')}`,
  'deep tags, then other closing tags': repeat('<a>') + repeat('</b>'),
  'items in items': repeat('<item><title>'),
  'unclosed quotes': repeat('<a b="'),
  'unclosed comments': repeat('<!--'),
  'unclosed CDATA': repeat('<![CDATA['),
  'unclosed tags': repeat('<a '),
  'document types': repeat('<!DOCTYPE [>'),
  'one tag with very many attributes': `<rss ${repeat('a=b ')}>${item('')}`,
  'very many namespaces': `<rss ${repeat('xmlns:a="b" ')}>${repeat('<x xmlns:q="r"/>')}`,
  'a base of megabytes': `<rss xml:base="http://a/${repeat('a')}">${repeat('<item><link>b</link>')}`,
  'growing bases': `<rss>${repeat('<a xml:base="x/">')}`,
  'an entity bomb': `<!DOCTYPE a [<!ENTITY a "${'z'.repeat(900)}">]>${description(repeat('&a;'))}`,
  'an entity bomb with levels': `<!DOCTYPE a [<!ENTITY a "z"><!ENTITY b "${repeat('&a;', 900)}">
    <!ENTITY c "${repeat('&b;', 900)}">]>${description(repeat('&c;'))}`,
  ampersands: description(repeat('&')),
  'escaped tags without an end': description(repeat('&lt;a ')),
  'escaped scripts': description(repeat('&lt;script&gt;')),
  'a title of megabytes': `<rss><channel><item><title>${repeat('x ')}</title>`,
  'marks in the wrong order': description(repeat('\u0315\u0300')),
  'addresses in an author': item(`<author>${repeat('a@b.c ')}</author>`),
  'very many authors': item(repeat('<author>a</author>')),
  'a date of megabytes': item(`<pubDate>${repeat('1 ')}</pubDate>`),
  'JSON brackets': repeat('['),
  'JSON objects': repeat('{"a":'),
  'a JSON string without an end': `{"${repeat('\\"')}`,
  'JSON that was cut off': `{"version":"jsonfeed.org/version/1.1","items":[${repeat('{"id":1},')}`,
  zeros: repeat('\0'),
};

test.each(Object.entries(documents))('%s', (_, document) => {
  const context = { url: 'http://hostile.example/feed', contentType: null };
  const outcome = readFeed(Buffer.from(document), context);
  const size = JSON.stringify(outcome).length;
  // Links must not grow beyond base plus path, or a small feed could expand without limit.
  expect(size).toBeLessThan(40 * document.length);
  expect(['read', 'not_a_feed']).toContain(outcome.kind);
});
