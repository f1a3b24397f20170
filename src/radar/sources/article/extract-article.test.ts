import { readFileSync } from 'node:fs';
import { Readability } from '@mozilla/readability';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { extractArticle } from './extract-article.ts';
import { openDocument, repairHtml } from './parse-page.ts';
import { type Extraction, scoreExtractions, scorePage } from './score-extraction.ts';

const now = Date.parse('2026-09-01T00:00:00Z');
const folder = new URL('../../../../tests/corpus/pages/', import.meta.url);
const readFixture = (name: string) => readFileSync(new URL(name, folder), 'utf8');

type Expected = {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly publishedAt: string | null;
  readonly language: string | null;
};
const corpus = Object.entries(
  JSON.parse(readFixture('expected.json')) as Record<string, Expected>,
).map(([name, expected]) => ({ name, expected, html: readFixture(`${name}.html`) }));

describe('the article corpus', () => {
  const articles = corpus.map((page) => {
    return { ...page, article: extractArticle(page.html, page.expected.url, now) };
  });

  it.each(articles)('$name: extracts headline, time and language', ({ article, expected }) => {
    const { title, publishedAt, language } = article;
    expect({ title, publishedAt, language }).toEqual({
      title: expected.title,
      publishedAt: expected.publishedAt,
      language: expected.language,
    });
  });

  it('scores higher than Readability alone and close to human annotation', () => {
    const extractions: Extraction[] = [];
    const readabilityResults: Extraction[] = [];
    for (const { html, expected, article } of articles) {
      const document = openDocument(repairHtml(html));
      const browserDocument = document as unknown as ConstructorParameters<typeof Readability>[0];
      const actual = new Readability(browserDocument).parse()?.textContent ?? '';
      readabilityResults.push({ expected: expected.text, actual });
      extractions.push({ expected: expected.text, actual: article.text });
    }
    const minRecall = Math.min(...extractions.map((page) => scorePage(page).recall ?? 0));
    expect(corpus.length).toBeGreaterThanOrEqual(40);
    expect(scoreExtractions(extractions).f1).toBeGreaterThan(0.98);
    expect(scoreExtractions(extractions).f1).toBeGreaterThan(
      scoreExtractions(readabilityResults).f1 + 0.03,
    );
    expect(minRecall).toBeGreaterThan(0.9);
  });
});

const htmlPage = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const sentence = (index: number) =>
  `Sentence number ${index} of this article has enough words in it to be prose for every reader.`;
const newsletter = 'Join ten thousand readers who get our letter on Monday.';
const comment = '<p>A comment that is long enough to be taken for a paragraph of the article.</p>';
const copyright = '© 2026 A Newspaper. All rights reserved. This material may not be published.';
const chinese = '这是一篇用中文写成的文章，声明却说是英文，读者一眼就能看出来。'.repeat(3);
const prose = [1, 2, 3, 4].map((index) => `<p>${sentence(index)}</p>`).join('');
const text = [1, 2, 3, 4].map(sentence).join('\n');
const textOf = (html: string) => extractArticle(html, 'https://a.example/x', now).text;

describe('the text', () => {
  it.each([
    ['a byline', '<p>By Ada Lovelace</p>', ''],
    ['a date', '<p>Friday, August 21, 2026 10:30 AM</p>', ''],
    ['a caption', '<figure><img src=a><figcaption>The machine, in 1843.</figcaption></figure>', ''],
    ['an inline related link', '', '<p><b>Read more:</b> <a href=/r>The other machine</a></p>'],
    ['a newsletter box', '', `<div class="newsletter-box"><p>${newsletter}</p></div>`],
    ['comments longer than the text', '', `<div id="comments">${comment.repeat(9)}</div>`],
    ['a copyright line', '', `<p>${copyright}</p>`],
  ])('leaves out %s', (_, before, after) => {
    expect(textOf(htmlPage(`<article><h1>Title</h1>${before}${prose}${after}</article>`))).toBe(
      text,
    );
  });

  it('keeps subheadings, lists, quotations and code', () => {
    const list = '<ul><li>One</li><li>Two</li></ul>';
    const quotedText = `<blockquote>${sentence(5)}</blockquote><pre>let x = 1</pre>`;
    const lastParagraph = `<p>${sentence(6)}</p>`;
    const html = htmlPage(
      `<article>${prose}<h2>Then</h2>${list}${quotedText}${lastParagraph}</article>`,
    );
    expect(textOf(html)).toBe(
      [text, 'Then', 'One', 'Two', sentence(5), 'let x = 1', sentence(6)].join('\n'),
    );
  });

  it('keeps one copy of a repeated paragraph', () => {
    const html = htmlPage(
      `<article><div class=desktop>${prose}</div><div class=phone>${prose}</div></article>`,
    );
    expect(textOf(html)).toBe(text);
  });

  it('is the JSON-LD body when the page itself has no text', () => {
    const data = JSON.stringify({ '@type': 'NewsArticle', articleBody: text });
    const html = htmlPage(
      '<div id=app></div>',
      `<script type="application/ld+json">${data}</script>`,
    );
    expect(textOf(html)).toBe(text);
  });

  it('is empty when the page has no text', () => {
    expect(extractArticle('', 'https://a.example/', now)).toEqual({
      title: null,
      text: '',
      publishedAt: null,
      language: null,
    });
  });
});

describe('the language', () => {
  it.each([
    ['declared', '<html lang="de-CH">', sentence(1), 'de-CH'],
    ['of the script where the declaration is wrong', '<html lang="en">', chinese, 'zh'],
    [
      'of the commonest words where none is declared',
      '<html>',
      `${sentence(1)} The end of the text is in English.`,
      'en',
    ],
  ])('is the language %s', (_, html, body, language) => {
    const page = `<!doctype html>${html}<body><article><p>${body}</p><p>${body}</p></article>`;
    expect(extractArticle(page, 'https://a.example/', now).language).toBe(language);
  });
});

describe('any input', () => {
  it('returns a result for mutated corpus pages', () => {
    const seed = 20260823;
    const random = seededRandom(seed);
    const pick = (bound: number) => Math.floor(random.next() * bound);
    for (let round = 0; round < 60; round++) {
      const source = corpus[pick(corpus.length)]?.html ?? '';
      const from = pick(source.length);
      const mutatedPage =
        source.slice(0, from) +
        '<>"\0</div><table><b>'.slice(pick(9)) +
        source.slice(from + pick(400));
      const article = extractArticle(mutatedPage, 'not an address', now);
      expect(typeof article.text, `seed ${seed}, round ${round}`).toBe('string');
    }
  });

  it('returns a result for elements nested 1,000 deep', () => {
    const html = `${'<div>'.repeat(1_000)}deep${'</div>'.repeat(1_000)}`;
    expect(typeof textOf(html)).toBe('string');
  });
});
