import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absoluteUrl, canonicalUrl } from './url.ts';

const sameArticleAddresses: readonly (readonly [key: string, ...addresses: string[]])[] = [
  [
    'https://example.com',
    'http://example.com/',
    'HTTPS://WWW.Example.COM:443',
    'http://example.com:80/index.html',
    'https://example.com./#top',
    'https://user:secret@example.com/?utm_source=x',
    'http://m.example.com//',
    'https://www.m.example.com/default.aspx/',
  ],
  [
    'https://example.com/a/B',
    'http://amp.example.com/a/B/',
    'https://example.com/a/B/amp',
    'https://example.com/a/B/amp/',
    'https://example.com/a//B/index.php',
    'https://example.com/a/./x/../B',
    'https://example.com/%61/B?fbclid=1&gclid=2',
    'https://example.com/a/B.amp',
    'https://example.com/a/B;jsessionid=0123?amp=1',
    '  https://example.com/a/B#section-2\n',
    'https://example.com/a/B#:~:text=words',
  ],
  ['https://example.com/story.html', 'https://example.com/story.amp.html?outputType=amp'],
  ['https://m.co/x', 'http://m.co/x/'],
  ['https://amp.dev/amp', 'https://amp.dev/amp/'],
  ['https://example.com:8080/x', 'http://www.example.com:8080/x/'],
  [
    'https://example.com/x?a=1&b=2',
    'https://example.com/x?b=2&a=1',
    'https://example.com/x?&b=2&&a=1&utm_medium=rss&mc_cid=9&MC_EID=8&spm=a.b',
    'https://example.com/x?a=1&b=2&source=rss----7f60cf5620c9---4',
    'https://example.com/x?a=1&from=timeline&b=2&isappinstalled=0',
  ],
  ['https://example.com/x?q=a%20b', 'https://example.com/x?q=a+b', 'https://example.com/x?q=a%20b'],
  ['https://example.com/x?flag', 'https://example.com/x?flag=', 'https://example.com/x?flag'],
  ['https://example.com/x?q=%2B', 'https://example.com/x?q=%2b'],
  [
    'https://example.com/%E6%96%B0%E9%97%BB',
    'https://example.com/新闻',
    'https://example.com/%e6%96%b0%e9%97%bb/',
  ],
  ['https://xn--fiq228c.com', 'https://中文.com/'],
  ['https://example.com/a%2Fb', 'https://example.com/a%2fb'],
  ['https://example.com/Go_(game)', 'https://example.com/Go_%28game%29'],
  ['https://example.com/%D6%D0', 'https://example.com/%d6%d0'],
  ['https://example.com/50%25', 'https://example.com/50%', 'https://example.com/50%25'],
  ['https://example.com#!/a/b', 'http://example.com/#!/a/b', 'https://example.com/#!/a/b/'],
  ['https://example.com/app#/a', 'https://www.example.com/app/#/a'],
  ['https://example.com/app', 'https://example.com/app#/', 'https://example.com/app#!'],
  ['https://example.com/news', 'https://example.com/news?ref=producthunt'],
  ['https://github.com/o/r?ref=main', 'https://github.com/o/r/?ref=main&utm_source=a'],
  ['https://127.0.0.1:8080/x', 'http://2130706433:8080/x'],
  ['https://[::1]/x', 'http://[0:0:0:0:0:0:0:1]/x'],
  // Known sites
  [
    'https://arxiv.org/abs/2401.01234',
    'http://arxiv.org/abs/2401.01234v2',
    'https://www.arxiv.org/pdf/2401.01234v1.pdf',
    'https://export.arxiv.org/abs/2401.01234?context=cs.AI',
    'https://arxiv.org/html/2401.01234v3/',
  ],
  ['https://arxiv.org/abs/cs/0112017', 'https://arxiv.org/pdf/cs/0112017v1'],
  ['https://arxiv.org/list/cs.AI/recent', 'http://arxiv.org/list/cs.AI/recent/'],
  [
    'https://x.com/someone/status/1',
    'https://twitter.com/someone/status/1?s=20&t=abc',
    'https://mobile.twitter.com/someone/status/1',
    'https://www.m.twitter.com/someone/status/1',
  ],
  [
    'https://youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=share',
    'https://www.youtube.com/watch?t=30s&v=dQw4w9WgXcQ&list=PL1',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
  ],
  ['https://youtube.com/@channel', 'https://www.youtube.com/@channel/'],
  ['https://reddit.com/r/x/comments/1', 'https://old.reddit.com/r/x/comments/1/'],
  [
    'https://mp.weixin.qq.com/s?__biz=MzA%3D%3D&idx=1&mid=2&sn=3',
    'http://mp.weixin.qq.com/s?__biz=MzA==&mid=2&idx=1&sn=3&chksm=4&scene=21#wechat_redirect',
  ],
  ['https://mp.weixin.qq.com/s/AbC', 'http://mp.weixin.qq.com/s/AbC?scene=1'],
  [
    'https://example.com/story',
    'https://www.google.com/amp/s/www.example.com/story/amp/',
    'https://example-com.cdn.ampproject.org/c/s/example.com/story?usqp=mq331',
    'https://www.google.com/amp/s/example-com.cdn.ampproject.org/v/s/example.com/story',
  ],
];

describe('canonicalUrl', () => {
  test.each(sameArticleAddresses)(
    'the key %s belongs to all addresses of its article',
    (key, ...addresses) => {
      expect(addresses.map(canonicalUrl)).toEqual(addresses.map(() => key));
      expect(canonicalUrl(key)).toBe(key);
    },
  );

  test('addresses of other pages have other keys', () => {
    const pages = [
      'https://example.com/a',
      'https://example.com/A',
      'https://example.com/a?page=2',
      'https://example.com/a?page=3',
      'https://example.com/a%2Fb',
      'https://example.com/a/b',
      'https://example.com:8443/a',
      'https://blog.example.com/a',
      'https://mexample.com/a',
      'https://example.com/a#/one',
      'https://example.com/a#/two',
      'https://example.com/a?from=2024',
      'https://example.com/a?source=42',
      'https://example.com/campaign',
      'https://example.com/a?q=1%262',
      'https://example.com/a?q=1&2',
      'https://arxiv.org/abs/2401.01234',
      'https://arxiv.org/abs/2401.01235',
      'https://mp.weixin.qq.com/s/AbC',
      'https://mp.weixin.qq.com/s/abc',
    ];
    expect(new Set(pages.map(canonicalUrl)).size).toBe(pages.length);
  });

  test.each(['', ' ', 'example.com/a', '/a', 'ftp://example.com/', 'mailto:a@example.com'])(
    '%j has no key',
    (text) => expect(canonicalUrl(text)).toBeNull(),
  );

  test('an overlong address has no key', () => {
    expect(canonicalUrl(`https://example.com/${'a'.repeat(8_172)}`)).not.toBeNull();
    expect(canonicalUrl(`https://example.com/${'a'.repeat(8_173)}`)).toBeNull();
    expect(canonicalUrl(`https://example.com/${'新'.repeat(1_000)}`)).toBeNull();
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://', 'http://a b/', 'https://...'])(
    'other text has no key: %j',
    (text) => expect(canonicalUrl(text)).toBeNull(),
  );
});

const host = fc.constantFrom(
  ...['example.com', 'www.example.com', 'm.amp.www.example.co.uk', 'EXAMPLE.com.', '10.0.0.1'],
  ...['www.com', 'twitter.com', 'm.twitter.com', 'arxiv.org', 'youtu.be', 'www.youtube.com'],
  ...[
    'www.google.com',
    'a.cdn.ampproject.org',
    '中文.com',
    '[::1]',
    'mp.weixin.qq.com',
    '..',
    'm.m',
  ],
);
const piece = fc.oneof(
  fc.constantFrom('/', '//', '/amp', '/amp/s/', 'index.html', '.amp', '.html', '/abs/', 'v2', '..'),
  fc.constantFrom(
    '%',
    '%2',
    '%41',
    '%2f',
    '%25',
    '%%341',
    '%E6',
    'é',
    '新',
    ' ',
    '+',
    ';jsessionid=',
  ),
  fc.constantFrom(
    '?',
    '&',
    '=',
    'utm_a=b',
    'v=',
    'ref=x',
    '#',
    '#!',
    '#/',
    '#!/x',
    '\\',
    'example.com',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const address = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTP:', 'https:\\\\', 'http://u:p@', ''),
    host,
    fc.constantFrom('', ':80', ':443', ':8080', ':0', ':99999'),
    fc.array(piece, { maxLength: 12 }),
  )
  .map(([scheme, name, port, pieces]) => scheme + name + port + pieces.join(''));

describe('for any address', () => {
  // fast-check prints the seed and the smallest counterexample when a property fails.
  test('the key of a key is the key itself', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl(), fc.string()), (text) => {
        const key = canonicalUrl(text);
        if (key !== null) expect(canonicalUrl(key)).toBe(key);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a key is plain ASCII with https and parses as a URL', () => {
    fc.assert(
      fc.property(address, (text) => {
        const key = canonicalUrl(text);
        if (key === null) return;
        expect(key).toMatch(/^https:\/\/[!-~]+$/);
        expect(URL.parse(key)?.protocol).toBe('https:');
      }),
      { numRuns: 2_000 },
    );
  });

  test('an absolute URL is http(s), has no credentials and resolves to itself', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.string()), fc.oneof(address, fc.string()), (href, base) => {
        const url = absoluteUrl(href, base);
        if (url === null) return;
        expect(url).toMatch(/^https?:\/\/[^@/]+\//);
        expect(absoluteUrl(url, '')).toBe(url);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('absoluteUrl', () => {
  test.each([
    ['/a', 'https://example.com/x/y', 'https://example.com/a'],
    ['a', 'https://example.com/x/y', 'https://example.com/x/a'],
    ['?p=2', 'https://example.com/x', 'https://example.com/x?p=2'],
    ['//cdn.example.com/a', 'http://example.com/', 'http://cdn.example.com/a'],
    ['\n  http://example.com/a b \t', '', 'http://example.com/a%20b'],
    ['https://example.com/a', 'not a base', 'https://example.com/a'],
    ['https://u:p@example.com/a', 'https://example.com/', 'https://example.com/a'],
    ['https://exam\nple.com/a', '', 'https://example.com/a'],
    ['新闻', 'https://example.com/', 'https://example.com/%E6%96%B0%E9%97%BB'],
  ])('%j on %j is %j', (href, base, expected) => {
    expect(absoluteUrl(href, base)).toBe(expected);
  });

  test.each([
    ['', 'https://example.com/'],
    ['   ', 'https://example.com/'],
    ['/a', 'not a base'],
    ['javascript:void(0)', 'https://example.com/'],
    ['mailto:a@example.com', 'https://example.com/'],
    ['a', 'file:///etc/'],
    ['http://[bad', 'https://example.com/'],
  ])('%j on %j is null', (href, base) => {
    expect(absoluteUrl(href, base)).toBeNull();
  });
});
