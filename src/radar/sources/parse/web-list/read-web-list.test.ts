import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../kernel/crypto/random.ts';
import { fetchWarning, formatWarning } from '../../fetch/fetch-warning.ts';
import type { WebListSettings } from '../../source-settings.ts';
import { entriesNeedingDetail, mergeDetail } from './merge-detail.ts';
import { type ReadListResult, readWebList } from './read-web-list.ts';

const now = Date.parse('2026-08-23T04:00:00Z');
const context = { url: 'https://lab.example/blog/', now, language: 'en' };
const emptyEntry = {
  id: null,
  summary: null,
  content: null,
  author: null,
  publishedAt: null,
  updatedAt: null,
  language: null,
};

function readPage(
  html: string,
  settings: Partial<WebListSettings>,
  language = 'en',
): ReadListResult {
  const allSettings = { url: context.url, item: '.post', ...settings };
  return readWebList(html, allSettings, { ...context, language });
}

const blog = `<!doctype html><title>The Lab's blog</title>
<div class="post"><a href="/blog/one"><img alt=""></a>
  <h2><a href="/blog/one">First &amp; foremost</a></h2>
  <time datetime="2026-08-20T10:00:00Z">Thursday</time>
  <p class="dek">What it is.</p><span class=by>Ada</span></div>
<div class="post"><h2><a href="two?utm=1">Second</a></h2><time>3 days ago</time></div>
<div class="post"><h2><a href="https://other.example/x">Elsewhere</a></h2>
  <time>Aug 1, 2026</time></div>
<div class="post"><h2><a href="/blog/one">First again</a></h2><time>Aug 20</time></div>
<div class="post"><h2><a href="javascript:void(0)">No address</a></h2></div>`;

describe('a web list', () => {
  it('yields one entry per item, in order, each address once', () => {
    expect(
      readPage(blog, { title: 'h2', date: 'time', summary: '.dek', author: '.by', link: 'h2 a' }),
    ).toEqual({
      kind: 'read',
      feed: {
        format: 'web-list',
        title: "The Lab's blog",
        entries: [
          {
            ...emptyEntry,
            url: 'https://lab.example/blog/one',
            title: 'First & foremost',
            summary: 'What it is.',
            author: 'Ada',
            publishedAt: '2026-08-20T10:00:00.000Z',
          },
          {
            ...emptyEntry,
            url: 'https://lab.example/blog/two?utm=1',
            title: 'Second',
            publishedAt: '2026-08-20T04:00:00.000Z',
          },
          {
            ...emptyEntry,
            url: 'https://other.example/x',
            title: 'Elsewhere',
            publishedAt: '2026-08-01T00:00:00.000Z',
          },
        ],
        warnings: [fetchWarning('link-some', 'settings.link', 'h2 a')],
      },
    });
  });

  it('finds link and title when only the item selector is set', () => {
    const cards = `<base href="https://cdn.example/root/">
      <a class=post href="a"><h3>Card A</h3><p>More</p></a>
      <a class=post href="b">Plain B</a>`;
    const outcome = readPage(cards, {});
    expect(outcome.kind === 'read' && outcome.feed.entries).toEqual([
      { ...emptyEntry, url: 'https://cdn.example/root/a', title: 'Card A' },
      { ...emptyEntry, url: 'https://cdn.example/root/b', title: 'Plain B' },
    ]);
  });

  it('keeps links with a configured prefix and drops excluded links', () => {
    const urls = (settings: Partial<WebListSettings>) => {
      const outcome = readPage(blog, { link: 'h2 a', ...settings });
      return outcome.kind === 'read' ? outcome.feed.entries.map((entry) => entry.url) : outcome;
    };
    expect(urls({ linkPrefix: '/blog/' })).toEqual([
      'https://lab.example/blog/one',
      'https://lab.example/blog/two?utm=1',
    ]);
    expect(urls({ linkPrefix: ['https://other.example/'] })).toEqual(['https://other.example/x']);
    expect(urls({ linkExclude: '/blog/two' })).toEqual([
      'https://lab.example/blog/one',
      'https://other.example/x',
    ]);
  });

  it('reads dates of a Chinese page in Beijing time', () => {
    const page = '<li class=post><a href=/n/1>一条新闻</a><span class=t>昨天 22:10</span></li>';
    const outcome = readPage(page, { date: '.t' }, 'zh-CN');
    expect(outcome.kind === 'read' && outcome.feed.entries).toEqual([
      {
        ...emptyEntry,
        url: 'https://lab.example/n/1',
        title: '一条新闻',
        publishedAt: '2026-08-22T14:10:00.000Z',
      },
    ]);
  });

  it('reads the date from the configured attribute', () => {
    const page = '<li class=post data-ts=1787390000><a href=/n/1>News</a></li>';
    const outcome = readPage(page, { date: '.post', dateAttribute: 'data-ts' });
    expect(outcome.kind === 'read' && outcome.feed.entries[0]?.publishedAt).toBe(
      '2026-08-22T09:13:20.000Z',
    );
  });
});

describe('a page that does not fit', () => {
  it('reports a setting that matches nothing', () => {
    expect(readPage('<p>Moved</p>', {})).toEqual({
      kind: 'failed',
      warning: fetchWarning('selector-none', 'settings.item', '".post"'),
    });
  });

  it.each([
    ['item', { item: 'li[' }],
    ['title', { title: 'h2:::x' }],
    ['date', { date: '>>' }],
  ] as const)('reports an invalid %s selector', (setting, settings) => {
    const outcome = readPage(blog, { link: 'h2 a', ...settings });
    expect(outcome.kind).toBe('failed');
    expect(outcome.kind === 'failed' && formatWarning(outcome.warning, 'en')).toMatch(
      new RegExp(`^settings\\.${setting}: is not a CSS selector: `),
    );
  });

  it('reports unreadable dates', () => {
    const page = '<li class=post><a href=/a>A</a><i>soon</i></li>';
    const outcome = readPage(page, { date: 'i' });
    expect(outcome.kind === 'read' && outcome.feed.warnings).toEqual([
      fetchWarning('date-unread', 'settings.date', '"soon"'),
    ]);
  });
});

describe('any page', () => {
  it('returns a result for randomly damaged pages', () => {
    const seed = 20260824;
    const random = seededRandom(seed);
    const randomIndex = () => Math.floor(random.next() * blog.length);
    for (let round = 0; round < 300; round++) {
      const brokenPage = `${blog.slice(0, randomIndex())}<"\0</h2>&#x${blog.slice(randomIndex())}`;
      const outcome = readPage(brokenPage, { title: 'h2', date: 'time', link: 'h2 a' });
      expect(['read', 'failed'], `seed ${seed}, round ${round}`).toContain(outcome.kind);
    }
  });
});

describe('the detail page', () => {
  const settings: WebListSettings = {
    url: context.url,
    item: 'li',
    detail: { date: '.when', summary: '.lead', content: 'article' },
  };
  const entry = { ...emptyEntry, url: 'https://lab.example/a', title: 'A', summary: 'Kept' };

  it('is needed only when it can fill a gap', () => {
    const fullEntry = { ...entry, publishedAt: '2026-08-01T00:00:00.000Z', content: '<p>x</p>' };
    expect(entriesNeedingDetail([entry, fullEntry], settings)).toEqual([entry]);
    expect(entriesNeedingDetail([entry], { url: context.url, item: 'li' })).toEqual([]);
  });

  it('fills gaps and overwrites nothing', () => {
    const html =
      '<p class=when>22 Aug 2026</p><p class=lead>Other</p><article><b>Body</b></article>';
    expect(mergeDetail(entry, html, settings, context)).toEqual({
      entry: { ...entry, publishedAt: '2026-08-22T00:00:00.000Z', content: '<b>Body</b>' },
      warnings: [],
    });
  });

  it('reports an invalid detail selector', () => {
    const invalidSettings = { ...settings, detail: { date: 'p[' } };
    const mergedEntry = mergeDetail(entry, '<p>x</p>', invalidSettings, context);
    expect(mergedEntry.entry).toEqual(entry);
    expect(mergedEntry.warnings[0]).toMatchObject({
      code: 'selector-bad',
      values: ['settings.detail.date', '"p["', expect.any(String)],
    });
  });

  it('reports a detail setting that matches nothing', () => {
    expect(mergeDetail(entry, '<article></article>', settings, context).warnings).toEqual([
      fetchWarning('selector-some', 'settings.detail.date', '".when"'),
    ]);
  });
});
