// `/items/{id}`: one item. The link to its original comes first.
import { Fault } from '../../kernel/errors/fault.ts';
import { type Html, html, webAddress } from '../../kernel/html/html.ts';
import { markLanguage } from '../../kernel/html/text-language.ts';
import { renderDateTime } from '../../kernel/web/format-time.ts';
import { findPublicItem } from '../publication/find-item.ts';
import type { PublicItem } from '../publication/item.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';
import { renderSharePart } from './share-part.ts';
import { renderTranslationMark, writtenLanguage } from './translation-mark.ts';

export async function itemPage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const { world, publication } = context;
  const item = await findPublicItem(world, publication, request.params.id ?? '');
  if (item === null) throw new Fault('not_found', 'There is no public item of that id.');
  const messages = readerMessages(context.site.language);
  return pageResponse(context, {
    title: item.title,
    description: item.summary,
    canonical: `/items/${item.id}`,
    section: null,
    scripts: ['story.js'],
    main: html`<article data-page>
<header class="page-head">
<p class="label"><span>${item.sourceName}</span> ${renderTranslationMark(item, messages)}</p>
<h1 lang="${writtenLanguage(item)}">${item.title}</h1>
${renderSharePart(context, {
  path: `/items/${item.id}`,
  title: item.title,
  publisher: item.sourceName,
  at: item.publishedAt ?? item.discoveredAt,
  citedUrl: webAddress(item.originalUrl),
  canSave: true,
})}
</header>
${
  item.summary !== null &&
  html`<div class="text" lang="${writtenLanguage(item)}"><p>${item.summary}</p></div>`
}
${renderLinks(context, item)}
${renderFacts(context, item)}
</article>`,
  });
}

function renderLinks({ site }: PageContext, item: PublicItem): Html {
  const messages = readerMessages(site.language);
  const original = webAddress(item.originalUrl);
  return html`<p class="more">
${original && html`<a class="button" href="${original}" rel="noopener">${messages.original} ↗</a>`}
${
  item.storyId &&
  html`<a class="button quiet" href="/stories/${item.storyId}">\
${messages.story}</a>`
}
</p>`;
}

function renderFacts(context: PageContext, item: PublicItem): Html {
  const { site, labels } = context;
  const messages = readerMessages(site.language);
  const { language } = site;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const facts: readonly (readonly [string, Html | string | null])[] = [
    [
      messages.originalTitle,
      item.originalTitle === null ? null : markLanguage(item.originalTitle, language),
    ],
    [
      messages.published,
      item.publishedAt === null ? null : renderDateTime(context, item.publishedAt),
    ],
    [messages.discovered, renderDateTime(context, item.discoveredAt)],
    [messages.category, category],
    [messages.why, item.reason === null ? null : markLanguage(item.reason, language)],
  ];
  return html`<dl class="facts spaced">
${facts.map(
  ([name, value]) =>
    value !== null &&
    html`<dt>${name}</dt><dd>${value}</dd>
`,
)}</dl>`;
}
