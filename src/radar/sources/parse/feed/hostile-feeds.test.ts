// Documents that are expensive to parse, some megabytes each. A parser with quadratic time exceeds
// the test's time limit.
import { expect, test } from 'vitest';
import { readFeed } from './read-feed.ts';

const SIZE = 3_000_000;
const many = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));
const item = (inner: string) => `<rss><channel><item><title>t</title>${inner}`;
const description = (inner: string) => item(`<description>${inner}</description></item>`);

const documents: Readonly<Record<string, string>> = {
  'open tags': many('<a>'),
  'closing tags without an element': `<rss>${many('</a>')}`,
  'deep tags, then other closing tags': many('<a>') + many('</b>'),
  'items in items': many('<item><title>'),
  'unclosed quotes': many('<a b="'),
  'unclosed comments': many('<!--'),
  'unclosed CDATA': many('<![CDATA['),
  'unclosed tags': many('<a '),
  'document types': many('<!DOCTYPE [>'),
  'one tag with very many attributes': `<rss ${many('a=b ')}>${item('')}`,
  'very many namespaces': `<rss ${many('xmlns:a="b" ')}>${many('<x xmlns:q="r"/>')}`,
  'a base of megabytes': `<rss xml:base="http://a/${many('a')}">${many('<item><link>b</link>')}`,
  'growing bases': `<rss>${many('<a xml:base="x/">')}`,
  'an entity bomb': `<!DOCTYPE a [<!ENTITY a "${'z'.repeat(900)}">]>${description(many('&a;'))}`,
  'an entity bomb with levels': `<!DOCTYPE a [<!ENTITY a "z"><!ENTITY b "${many('&a;', 900)}">
    <!ENTITY c "${many('&b;', 900)}">]>${description(many('&c;'))}`,
  ampersands: description(many('&')),
  'escaped tags without an end': description(many('&lt;a ')),
  'escaped scripts': description(many('&lt;script&gt;')),
  'a title of megabytes': `<rss><channel><item><title>${many('x ')}</title>`,
  'marks in the wrong order': description(many('\u0315\u0300')),
  'addresses in an author': item(`<author>${many('a@b.c ')}</author>`),
  'very many authors': item(many('<author>a</author>')),
  'a date of megabytes': item(`<pubDate>${many('1 ')}</pubDate>`),
  'JSON brackets': many('['),
  'JSON objects': many('{"a":'),
  'a JSON string without an end': `{"${many('\\"')}`,
  'JSON that was cut off': `{"version":"jsonfeed.org/version/1.1","items":[${many('{"id":1},')}`,
  zeros: many('\0'),
};

test.each(Object.entries(documents))('parses in linear time: %s', (_, document) => {
  const context = { url: 'http://hostile.example/feed', contentType: null };
  const outcome = readFeed(Buffer.from(document), context);
  const size = JSON.stringify(outcome).length;
  // Links must not grow beyond base plus path, or a small feed could expand without limit.
  expect(size).toBeLessThan(40 * document.length);
  expect(['read', 'not_a_feed']).toContain(outcome.kind);
});

test('never loads an external entity', () => {
  const doctype = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const document = `${doctype}<rss><channel><item><title>A &x; title</title></item>`;
  const context = { url: 'http://hostile.example/feed', contentType: null };
  const outcome = readFeed(Buffer.from(document), context);
  expect(JSON.stringify(outcome)).toContain('A &x; title');
});
