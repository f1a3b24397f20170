// `/daily`, `/weekly`, `/monthly` and each of their issues: contents, entries with their stories,
// corrections, neighbours, and the archive.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing, webAddress } from '../../../kernel/html/html.ts';
import { guessLanguage, langAttribute, markLanguage } from '../../../kernel/html/text-language.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { readStoriesOfEntries } from '../../publication/documents/entry-stories.ts';
import { findDocument, findReportNeighbours } from '../../publication/documents/find-document.ts';
import type { ReportEntry } from '../../publication/documents/report-body.ts';
import {
  leadEntryOf,
  openingOf,
  sectionsAfterLead,
} from '../../publication/documents/sections-after-lead.ts';
import type { StorySummary } from '../../publication/documents/story-summary.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import { type ReaderMessages, readerMessages } from '../messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from '../page-context.ts';
import { pageResponse } from '../page-layout.ts';
import { reportImagePath } from '../pictures/share-image.ts';
import { renderSharePart } from '../share-part.ts';
import { keepNamesTogether, renderSourcesLine, renderStoryMarks } from '../story-parts.ts';
import { renderArchive } from './archive.ts';
import { isReportKey, type ReportPageBody, type ReportPageName } from './report-key.ts';

export async function reportPage(
  name: ReportPageName,
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse> {
  const { world, publication, site } = context;
  const messages = readerMessages(site.language);
  const newestReport = newestDocuments(publication.readModel(), name, 1)[0];
  const key = request.params.key ?? newestReport?.key;
  if (key === undefined) return emptyReportPage(context, name, messages);
  if (!isReportKey(name, key)) throw invalidKeyFault(name, key);
  const foundReport = await findDocument(world, publication, name, key);
  if (foundReport === null) throw new Fault('not_found', `There is no report of ${key}.`);
  const { body } = foundReport;
  const { prevKey, nextKey } = await findReportNeighbours(world, publication, name, key);
  const lead = openingOf(body);
  const stories = await readStoriesOfEntries(world, publication, body);
  const title = `${messages[name]} · ${formatIssueName(name, key, site.language)}`;
  return pageResponse(context, {
    title,
    description: lead.title ?? lead.text,
    canonical: `/${name}/${key}`,
    section: name,
    image: reportImagePath(name, key),
    scripts: ['story.js'],
    feed: `/feed/${name}`,
    main: html`<article class="issue">
${renderHead(context, { name, key, body, stories })}
<div class="two">
<div>
${renderSections(context, body, stories)}
${renderBriefs(body, messages)}
</div>
<aside>
${renderContents(body, site.language)}
${renderCorrections(context, body, messages)}
</aside>
</div>
</article>
${renderNeighbours(context, name, { prevKey, nextKey })}
${renderArchive(context, name, key)}`,
  });
}

const keyExamples = { daily: '2026-11-23', weekly: '2026-W48', monthly: '2026-11' } as const;

function invalidKeyFault(name: ReportPageName, key: string): Fault {
  const example = keyExamples[name];
  return new Fault('invalid_request', `"${key}" is not a valid key. A valid key is ${example}.`, {
    inChinese: `“${key}”不是有效的期号。有效的期号如 ${example}。`,
  });
}

function emptyReportPage(
  context: PageContext,
  name: ReportPageName,
  messages: ReaderMessages,
): PageResponse {
  return pageResponse(context, {
    title: messages[name],
    description: null,
    canonical: `/${name}`,
    section: name,
    main: html`<div class="page-head"><h1>${messages[name]}</h1></div>
<p class="empty">${messages.noReportYet[name]}</p>`,
  });
}

type Issue = {
  readonly name: ReportPageName;
  readonly key: string;
  readonly body: ReportPageBody;
  readonly stories: StoriesByItem;
};

function renderHead(context: PageContext, { name, key, body, stories }: Issue): Html {
  const { site } = context;
  const messages = readerMessages(site.language);
  const entry = leadEntryOf(body);
  const story = entry === null ? null : (stories.get(entry.itemId) ?? null);
  const lead = openingOf(body);
  const title = lead.title;
  const text = entry === null ? lead.text : textOf(entry, story);
  const { windowStart, windowEnd } = body;
  const issue = formatIssueName(name, key, site.language);
  return html`<header class="page-head">
<p class="label">${messages[name]} · ${issue}</p>
<h1${title && html` lang="${guessLanguage(title)}"`}>${
    entry === null
      ? (title ?? issue)
      : html`<a href="${addressOf(entry, story)}">${title ?? issue}</a>`
  }</h1>
${
  text &&
  html`<div class="text" lang="${guessLanguage(text)}"><p>\
${keepNamesTogether(text, namesOf(entry, story))}</p></div>`
}
${entry && html`<p class="meta">${renderEntrySources(context, entry, story)}</p>`}
${renderStoryMarks(story, messages)}
<p class="meta"><span>${messages.covers} ${renderDateTime(context, windowStart)} – \
${renderDateTime(context, windowEnd)}</span></p>
${renderSharePart(context, {
  path: `/${name}/${key}`,
  title: title ?? issue,
  publisher: `${site.name}, ${messages[name]}`,
  at: body.generatedAt,
})}
</header>`;
}

function renderContents(body: ReportPageBody, language: 'en' | 'zh-CN'): Html {
  const messages = readerMessages(language);
  const sections = sectionsAfterLead(body);
  if (sections.length === 0) return nothing;
  return html`<nav class="contents" aria-labelledby="contents">
<h2 class="side" id="contents">${messages.inThisIssue}</h2>
<ul class="side-list">
${sections.map(
  ({
    category,
    label,
    items,
  }) => html`<li><a href="#s-${category}"${langAttribute(label, language)}>${label}</a> \
<span class="figure meta">${items.length}</span></li>
`,
)}${
  body.kind === 'daily' &&
  body.flashes.length > 0 &&
  html`<li><a href="#s-briefs">${messages.flashes}</a> \
<span class="figure meta">${body.flashes.length}</span></li>`
}</ul></nav>`;
}

type StoriesByItem = ReadonlyMap<string, StorySummary>;

function renderSections(context: PageContext, body: ReportPageBody, stories: StoriesByItem): Html {
  const { language } = context.site;
  const messages = readerMessages(language);
  if (body.sections.length === 0) return html`<p class="empty">${messages.emptyReport}</p>`;
  return html`${sectionsAfterLead(body).map(
    (section) => html`<section class="day" id="s-${section.category}">
<h2${langAttribute(section.label, language)}>${section.label}</h2>
${'summary' in section && renderIntro(section.summary)}
<ol>
${section.items.map((entry) => renderEntry(context, entry, stories.get(entry.itemId) ?? null))}</ol>
</section>
`,
  )}`;
}

const renderIntro = (text: string | null): Html | null =>
  text === null ? null : html`<div class="text" lang="${guessLanguage(text)}"><p>${text}</p></div>`;

function renderEntry(context: PageContext, entry: ReportEntry, story: StorySummary | null): Html {
  const messages = readerMessages(context.site.language);
  const text = textOf(entry, story);
  return html`<li class="entry wide" data-row data-id="${entry.itemId}"><div>
<h3 lang="${guessLanguage(entry.title)}">\
<a href="${addressOf(entry, story)}">${entry.title}</a></h3>
${
  text !== '' &&
  html`<p class="report-text" lang="${guessLanguage(text)}">\
${keepNamesTogether(text, namesOf(entry, story))}</p>`
}
<p class="meta">${renderEntrySources(context, entry, story)}</p>
${renderStoryMarks(story, messages)}</div></li>
`;
}

const addressOf = ({ itemId }: ReportEntry, story: StorySummary | null) =>
  story === null ? `/items/${itemId}` : `/stories/${story.id}`;

const hasSeveralSources = (story: StorySummary | null) => story !== null && story.sourceCount > 1;

/** `ownText` does not name other publishers, because the page names all sources in a line below. */
const textOf = ({ summary, ownText }: ReportEntry, story: StorySummary | null) =>
  story === null ? summary : (ownText ?? summary);

const namesOf = (entry: ReportEntry | null, story: StorySummary | null) => [
  ...(entry === null ? [] : [entry.sourceName]),
  ...(story?.sourceNames ?? []),
];

function renderEntrySources(
  { site }: PageContext,
  { originalUrl, sourceName }: ReportEntry,
  story: StorySummary | null,
): Html {
  const messages = readerMessages(site.language);
  const original = webAddress(originalUrl);
  return html`${
    story !== null && hasSeveralSources(story)
      ? renderSourcesLine(story, messages)
      : html`<span class="name-of">${sourceName}</span>`
  }${
    original && html`<span><a href="${original}" rel="noopener">${messages.original} ↗</a></span>`
  }`;
}

function renderBriefs(body: ReportPageBody, messages: ReaderMessages): Html {
  if (body.kind !== 'daily' || body.flashes.length === 0) return nothing;
  return html`<section class="day" id="s-briefs">
<h2>${messages.flashes}</h2>
<ul class="flashes">
${body.flashes.map(
  ({
    itemId,
    title,
    sourceName,
  }) => html`<li data-row><a href="/items/${itemId}" lang="${guessLanguage(title)}">${title}</a> \
<span class="meta">${sourceName}</span></li>
`,
)}</ul>
</section>`;
}

function renderCorrections(
  context: PageContext,
  body: ReportPageBody,
  messages: ReaderMessages,
): Html {
  if (body.corrections.length === 0) return nothing;
  return html`<section class="notice">
<h2 class="side">${messages.corrections}</h2>
<ul>
${body.corrections.map(
  ({ at, note }) => html`<li>${renderDateTime(context, at)}${messages.colon}\
${markLanguage(note, context.site.language)}</li>
`,
)}</ul>
</section>`;
}

type NeighbourKeys = { readonly prevKey: string | null; readonly nextKey: string | null };

function renderNeighbours(
  { site }: PageContext,
  name: ReportPageName,
  { prevKey, nextKey }: NeighbourKeys,
): Html {
  const { language } = site;
  if (prevKey === null && nextKey === null) return nothing;
  return html`<nav class="between" aria-label="${readerMessages(language).neighbours}">
<span>${
    prevKey &&
    html`<a class="link" rel="prev" href="/${name}/${prevKey}">← \
${formatIssueName(name, prevKey, language)}</a>`
  }</span>
${
  nextKey &&
  html`<a class="link" rel="next" href="/${name}/${nextKey}">\
${formatIssueName(name, nextKey, language)} →</a>`
}
</nav>`;
}
