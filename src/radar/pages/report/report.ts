// `/daily`, `/weekly`, `/monthly` and each of their editions: a dated issue with a beginning and an
// end, its neighbours, and the archive.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing, webAddress } from '../../../kernel/html/html.ts';
import { langOf, marked, textLanguage } from '../../../kernel/html/text-language.ts';
import { findDocument, reportNeighbours } from '../../publication/documents/find-document.ts';
import type { ReportEntry } from '../../publication/documents/report-body.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import { type Words, wordsOf } from '../messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext } from '../page-context.ts';
import { pageAnswer } from '../page-layout.ts';
import { reportPicture } from '../pictures/picture.ts';
import { dateTime } from '../show-time.ts';
import { archive } from './archive.ts';
import { isReportKey, leadOf, type ReportBody, type ReportName } from './report-lead.ts';

export async function reportPage(
  name: ReportName,
  context: PageContext,
  asked: PageAsked,
): Promise<PageAnswer> {
  const { world, publication, site } = context;
  const words = wordsOf(site.language);
  const newest = newestDocuments(publication.edition(), name, 1)[0];
  const key = asked.params.key ?? newest?.key;
  if (key === undefined) return noneYet(context, name, words);
  if (!isReportKey(name, key)) throw noKey(key);
  const found = await findDocument(world, publication, name, key);
  if (found === null) throw new Fault('not_found', `There is no report of ${key}.`);
  const { body } = found;
  const { prevKey, nextKey } = await reportNeighbours(world, publication, name, key);
  const lead = leadOf(body);
  return pageAnswer(context, {
    title: `${words[name]} ${key}`,
    description: lead.title ?? lead.text,
    canonical: `/${name}/${key}`,
    section: name,
    picture: reportPicture(name, key),
    main: html`<article class="issue">
${head(context, name, key, body)}
${sections(body, site.language)}
${flashes(body, words)}
${corrections(context, body, words)}
</article>
${neighbours(name, { prevKey, nextKey }, words)}
${archive(context, name, key)}`,
  });
}

const noKey = (key: string) =>
  new Fault('invalid_request', `${key} is no key of a report.`, {
    inChinese: `${key} 不是任何一期的名称。`,
  });

function noneYet(context: PageContext, name: ReportName, words: Words): PageAnswer {
  return pageAnswer(context, {
    title: words[name],
    description: null,
    canonical: `/${name}`,
    section: name,
    main: html`<div class="page-head"><h1>${words[name]}</h1></div>
<p class="empty">${words.noReportYet[name]}</p>`,
  });
}

function head({ site }: PageContext, name: ReportName, key: string, body: ReportBody): Html {
  const words = wordsOf(site.language);
  const { title, text } = leadOf(body);
  const { windowStart, windowEnd } = body;
  return html`<header class="page-head">
<p class="label">${words[name]} · ${key}</p>
<h1${title && html` lang="${textLanguage(title)}"`}>${title ?? `${words[name]} ${key}`}</h1>
${text && html`<div class="text" lang="${textLanguage(text)}"><p>${text}</p></div>`}
<p class="meta"><span>${words.covers} ${dateTime(site.language, windowStart)} – \
${dateTime(site.language, windowEnd)}</span></p>
</header>`;
}

function sections(body: ReportBody, language: 'en' | 'zh-CN'): Html {
  const words = wordsOf(language);
  if (body.sections.length === 0) return html`<p class="empty">${words.emptyReport}</p>`;
  return html`${body.sections.map(
    (section) => html`<section class="day">
<h2${langOf(section.label, language)}>${section.label}</h2>
${'summary' in section && intro(section.summary)}
<ol>
${section.items.map((entry) => entryRow(entry, words))}</ol>
</section>
`,
  )}`;
}

const intro = (text: string | null): Html | null =>
  text === null ? null : html`<div class="text" lang="${textLanguage(text)}"><p>${text}</p></div>`;

function entryRow(entry: ReportEntry, words: Words): Html {
  const original = webAddress(entry.originalUrl);
  return html`<li class="entry wide"><div>
<h3 lang="${textLanguage(entry.title)}"><a href="/items/${entry.itemId}">${entry.title}</a></h3>
${
  entry.summary !== '' &&
  html`<p class="tells" lang="${textLanguage(entry.summary)}">${entry.summary}</p>`
}
<p class="meta"><span>${entry.sourceName}</span>\
${original && html`<span><a href="${original}" rel="noopener">${words.original} ↗</a></span>`}</p>
</div></li>
`;
}

function flashes(body: ReportBody, words: Words): Html {
  if (body.kind !== 'daily' || body.flashes.length === 0) return nothing;
  return html`<section class="day">
<h2>${words.flashes}</h2>
<ul class="flashes">
${body.flashes.map(
  ({
    itemId,
    title,
    sourceName,
  }) => html`<li><a href="/items/${itemId}" lang="${textLanguage(title)}">${title}</a> \
<span class="meta">${sourceName}</span></li>
`,
)}</ul>
</section>`;
}

function corrections({ site }: PageContext, body: ReportBody, words: Words): Html {
  if (body.corrections.length === 0) return nothing;
  return html`<section class="notice">
<h2 class="side">${words.corrections}</h2>
<ul>
${body.corrections.map(
  ({ at, note }) => html`<li>${dateTime(site.language, at)}${words.colon}\
${marked(note, site.language)}</li>
`,
)}</ul>
</section>`;
}

type Neighbours = { readonly prevKey: string | null; readonly nextKey: string | null };

function neighbours(name: ReportName, { prevKey, nextKey }: Neighbours, words: Words): Html {
  return html`<nav class="between" aria-label="${words.neighbours}">
<span>${
    prevKey && html`<a class="link" rel="prev" href="/${name}/${prevKey}">← ${prevKey}</a>`
  }</span>
${nextKey && html`<a class="link" rel="next" href="/${name}/${nextKey}">${nextKey} →</a>`}
</nav>`;
}
