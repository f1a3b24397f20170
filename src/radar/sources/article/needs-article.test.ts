import { describe, expect, it } from 'vitest';
import { needsArticle } from './needs-article.ts';

const url = 'https://a.example/news/1';
const words = (count: number) => 'word '.repeat(count);

describe('an item needs its article page', () => {
  it('when its source provides a teaser or nothing', () => {
    expect(needsArticle({ url, summary: null, content: null }, 'feed')).toBe(true);
    expect(needsArticle({ url, summary: words(40), content: null }, 'web-list')).toBe(true);
    const paddedTeaser = `<div class="${words(300)}"><p>Short.</p></div>`;
    expect(needsArticle({ url, summary: null, content: paddedTeaser }, 'feed')).toBe(true);
  });

  it('not when any field has the full text, in any script', () => {
    expect(needsArticle({ url, summary: null, content: `<p>${words(130)}</p>` }, 'feed')).toBe(
      false,
    );
    expect(needsArticle({ url, summary: words(130), content: null }, 'feed')).toBe(false);
    expect(needsArticle({ url, summary: '新'.repeat(260), content: null }, 'feed')).toBe(false);
  });

  it.each([
    ['a push source', url, 'push'],
    ['no address', null, 'feed'],
    ['another protocol', 'ftp://a.example/x', 'feed'],
    ['an invalid address', 'nonsense', 'feed'],
    ['a social post', 'https://www.reddit.com/r/x/1', 'json-list'],
    ['a file', 'https://a.example/paper.pdf', 'feed'],
  ])('not when it has %s', (_, address, kind) => {
    expect(needsArticle({ url: address, summary: null, content: null }, kind)).toBe(false);
  });
});
