// Documents of a megabyte that are expensive to parse. A parser with quadratic time exceeds the
// test's time limit.
import { expect, test } from 'vitest';
import { readFeed } from './read-feed.ts';

const SIZE = 1_000_000;
const TIME_LIMIT_MS = 30_000;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));
const item = (inner: string) => `<rss><channel><item><title>t</title>${inner}`;
const description = (inner: string) => item(`<description>${inner}</description></item>`);

const documents: Readonly<Record<string, string>> = {
  'open tags': fill('<a>'),
  'closing tags without an element': `<rss>${fill('</a>')}`,
  'deep tags, then other closing tags': fill('<a>') + fill('</b>'),
  'items in items': fill('<item><title>'),
  'unclosed quotes': fill('<a b="'),
  'unclosed comments': fill('<!--'),
  'unclosed CDATA': fill('<![CDATA['),
  'unclosed tags': fill('<a '),
  'document types': fill('<!DOCTYPE [>'),
  'one tag with very many attributes': `<rss ${fill('a=b ')}>${item('')}`,
  'very many namespaces': `<rss ${fill('xmlns:a="b" ')}>${fill('<x xmlns:q="r"/>')}`,
  'a base of megabytes': `<rss xml:base="http://a/${fill('a')}">${fill('<item><link>b</link>')}`,
  'growing bases': `<rss>${fill('<a xml:base="x/">')}`,
  'an entity bomb': `<!DOCTYPE a [<!ENTITY a "${'z'.repeat(900)}">]>${description(fill('&a;'))}`,
  'an entity bomb with levels': `<!DOCTYPE a [<!ENTITY a "z"><!ENTITY b "${fill('&a;', 900)}">
    <!ENTITY c "${fill('&b;', 900)}">]>${description(fill('&c;'))}`,
  ampersands: description(fill('&')),
  'escaped tags without an end': description(fill('&lt;a ')),
  'escaped scripts': description(fill('&lt;script&gt;')),
  'a title of megabytes': `<rss><channel><item><title>${fill('x ')}</title>`,
  'marks in the wrong order': description(fill('\u0315\u0300')),
  'addresses in an author': item(`<author>${fill('a@b.c ')}</author>`),
  'very many authors': item(fill('<author>a</author>')),
  'a date of megabytes': item(`<pubDate>${fill('1 ')}</pubDate>`),
  'JSON brackets': fill('['),
  'JSON objects': fill('{"a":'),
  'a JSON string without an end': `{"${fill('\\"')}`,
  'JSON that was cut off': `{"version":"jsonfeed.org/version/1.1","items":[${fill('{"id":1},')}`,
  zeros: fill('\0'),
};

test.each(Object.entries(documents))(
  'parses in linear time: %s',
  (_, document) => {
    const context = { url: 'http://hostile.example/feed', contentType: null };
    const outcome = readFeed(Buffer.from(document), context);
    const size = JSON.stringify(outcome).length;
    // Links must not grow beyond base plus path, or a small feed could expand without limit.
    expect(size).toBeLessThan(40 * document.length);
    expect(['read', 'not_a_feed']).toContain(outcome.kind);
  },
  TIME_LIMIT_MS,
);

test('never loads an external entity', () => {
  const doctype = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const document = `${doctype}<rss><channel><item><title>A &x; title</title></item>`;
  const context = { url: 'http://hostile.example/feed', contentType: null };
  const outcome = readFeed(Buffer.from(document), context);
  expect(JSON.stringify(outcome)).toContain('A &x; title');
});
