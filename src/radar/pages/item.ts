// `/items/{id}`: one item, with its original above everything else.
import { Fault } from '../../kernel/errors/fault.ts';
import { type Html, html, webAddress } from '../../kernel/html/html.ts';
import { marked } from '../../kernel/html/text-language.ts';
import { findPublicItem } from '../publication/find-item.ts';
import type { PublicItem } from '../publication/item.ts';
import { wordsOf } from './messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';
import { dateTime } from './show-time.ts';

export async function itemPage(context: PageContext, asked: PageAsked): Promise<PageAnswer> {
  const { world, publication } = context;
  const item = await findPublicItem(world, publication, asked.params.id ?? '');
  if (item === null) throw new Fault('not_found', 'There is no public item of that id.');
  return pageAnswer(context, {
    title: item.title,
    description: item.summary,
    canonical: `/items/${item.id}`,
    section: null,
    main: html`<article>
<header class="page-head">
<p class="label">${item.sourceName}</p>
<h1 lang="${item.language}">${item.title}</h1>
</header>
${
  item.summary !== null &&
  html`<div class="text" lang="${item.language}"><p>${item.summary}</p></div>`
}
${linksOf(context, item)}
${factsOf(context, item)}
</article>`,
  });
}

function linksOf({ site }: PageContext, item: PublicItem): Html {
  const words = wordsOf(site.language);
  const original = webAddress(item.originalUrl);
  return html`<p class="more">
${original && html`<a class="button" href="${original}" rel="noopener">${words.original} ↗</a>`}
${item.storyId && html`<a class="button quiet" href="/stories/${item.storyId}">${words.story}</a>`}
</p>`;
}

function factsOf({ site, labels }: PageContext, item: PublicItem): Html {
  const words = wordsOf(site.language);
  const { language } = site;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const facts: readonly (readonly [string, Html | string | null])[] = [
    [
      words.originalTitle,
      item.originalTitle === null ? null : marked(item.originalTitle, language),
    ],
    [words.published, item.publishedAt === null ? null : dateTime(language, item.publishedAt)],
    [words.discovered, dateTime(language, item.discoveredAt)],
    [words.category, category],
    [words.why, item.reason === null ? null : marked(item.reason, language)],
  ];
  return html`<dl class="facts spaced">
${facts.map(
  ([name, value]) =>
    value !== null &&
    html`<dt>${name}</dt><dd>${value}</dd>
`,
)}</dl>`;
}
