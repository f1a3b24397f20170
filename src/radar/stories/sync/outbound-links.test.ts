import { expect, it } from 'vitest';
import { outboundLinks } from './outbound-links.ts';

const itemUrl = 'https://paper.example/news/7';

it('returns the item’s own address and the addresses it links to', () => {
  const html =
    '<p>As <a href="http://www.lab.example/papers/12/?utm_source=x">the paper</a> says, and ' +
    '<a href="/archive">we</a> said, see <A HREF="https://code.example/r/orrin">code</A>.</p>';
  expect(outboundLinks(itemUrl, html)).toEqual([
    itemUrl,
    'https://lab.example/papers/12',
    'https://code.example/r/orrin',
  ]);
});

it('front pages and share links do not connect items', () => {
  const hrefs = [
    'https://lab.example/',
    'https://www.facebook.com/sharer.php?u=1',
    'https://t.me/paper',
    'https://lab.example/share?u=2',
    'mailto:a@lab.example',
    'javascript:void(0)',
    '',
  ];
  const html = hrefs.map((href) => `<a href="${href}">x</a>`).join(' ');
  expect(outboundLinks(itemUrl, html)).toEqual([itemUrl]);
});

it('an item without a web address has only outbound links, at most twelve', () => {
  const html = Array.from({ length: 50 }, (_, n) => `<a href="https://x.example/p/${n}">`).join('');
  expect(outboundLinks('urn:entry:7', html)).toHaveLength(12);
  expect(outboundLinks('urn:entry:7', 'no links < here')).toEqual([]);
});
