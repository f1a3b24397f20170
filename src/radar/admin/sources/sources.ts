// Every source: how reading it goes, what it yields, and what needs a hand.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { span } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { type ListedSource, listSources } from '../../sources/list-sources.ts';
import { type FetchSpan, readFetchSpans } from '../../sources/source-record.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { doneNotice } from '../done-notice.ts';
import { adminWords } from '../messages/messages.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { readingSpark } from './fetch-chart.ts';
import { notesBelow } from './warning-list.ts';

const DAYS = 14;

export async function sourcesPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { db, world, site } = context;
  const words = adminWords(site.language);
  const now = world.clock.now();
  const [sources, spans] = [await listSources(db), await readFetchSpans(db, now, DAYS)];
  const messages = sourceSetupMessages(site.language);
  const add = html`<div class="acts"><a class="button" href="/admin/sources/add">\
${words.addSource}</a><a class="button quiet" href="/admin/sources/import">\
${messages.importOpml}</a>${
    sources.length > 0 &&
    html`<a class="button quiet" href="/admin/sources.opml" download>${messages.exportOpml}</a>`
  }</div>`;
  const failing = sources.filter((source) => source.failures > 0 && source.status === 'active');
  const about = words.sourcesAbout(sources.length, failing.length);
  return {
    kind: 'page',
    title: words.sections.sources,
    section: 'sources',
    main: html`${pageHead(words.sections.sources, about, add)}
${doneNotice(context, request)}
${sources.length === 0 ? empty(words) : table(context, sources, spans)}`,
  };
}

type Words = ReturnType<typeof adminWords>;

const empty = (words: Words) =>
  html`<div class="empty"><h2>${words.noSources}</h2><p>${words.noSourcesAbout}</p></div>`;

function table(
  context: RadarPageContext,
  sources: readonly ListedSource[],
  spans: ReadonlyMap<string, readonly FetchSpan[]>,
): Html {
  const words = adminWords(context.site.language);
  const sorted = sources.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
  return html`<div class="scroll"><table class="list stacks"><thead><tr>
<th scope="col">${words.source}</th><th scope="col">${words.condition}</th>\
<th scope="col">${words.lastDays(DAYS)}</th><th scope="col" class="number">${words.items}</th>\
<th scope="col" class="number">${words.newest}</th><th scope="col" class="number">${words.lag}</th>\
</tr></thead><tbody>
${sorted.map((source) => row(context, source, spans.get(source.id) ?? []))}</tbody></table></div>`;
}

/** What needs a hand comes first. */
function rankOf({ status, failures }: ListedSource): number {
  if (status === 'gone') return 0;
  if (status === 'paused') return 2;
  return failures > 0 ? 1 : 3;
}

function row(context: RadarPageContext, source: ListedSource, days: readonly FetchSpan[]): Html {
  const { language } = context.site;
  const words = adminWords(language);
  const age = (at: number | null) =>
    at === null ? '–' : words.ago(span(language, context.world.clock.now() - at));
  const lag = source.medianLagMs === null ? '–' : span(language, source.medianLagMs);
  return html`<tr><th scope="row"><a href="/admin/sources/${source.id}">${source.name}</a>
<span class="meta below">${words.kinds[source.kind]} · ${words.tiers[source.tier]}</span></th>
<td class="whole">${conditionOf(language, source)}</td>\
<td class="whole">${days.length === 0 ? nothing : readingSpark(language, days)}</td>\
<td class="number" data-label="${words.items}">${source.items}</td>\
<td class="number nowrap" data-label="${words.newest}">${age(source.newestItemAt)}</td>\
<td class="number nowrap" data-label="${words.lag}">${lag}</td></tr>
`;
}

export function conditionOf(
  language: Language,
  { status, failures, lastOutcome, lastMessage, lastNotes, kind }: ConditionFacts,
): Html {
  const words = adminWords(language);
  if (status === 'paused') return html`<span class="warning">${words.statuses.paused}</span>`;
  if (status === 'gone') return html`<span class="negative">${words.statuses.gone}</span>`;
  if (failures > 0) {
    return html`<span class="negative">${words.failing(failures)}</span>\
${notesBelow(language, { notes: lastNotes, message: lastMessage })}`;
  }
  // A source that was never fetched has no result yet.
  if (kind !== 'push' && lastOutcome === null) {
    return html`<span>${sourceSetupMessages(language).unchecked}</span>`;
  }
  const statusText = kind === 'push' ? words.waits : words.statuses.active;
  return html`<span class="positive">${statusText}</span>`;
}

type ConditionFacts = Pick<
  ListedSource,
  'status' | 'failures' | 'lastOutcome' | 'lastMessage' | 'lastNotes' | 'kind'
>;
