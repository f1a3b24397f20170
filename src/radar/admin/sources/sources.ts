// The list of all sources: the state of their fetches, their items, and problems for an operator.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDuration } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import {
  renderListTable,
  rowHeading,
  singleLineCell,
  type TableRow,
} from '../../../kernel/web/list-table.ts';
import { type ListedSource, listSources } from '../../sources/list-sources.ts';
import { type FetchSpan, readFetchSpans } from '../../sources/source-record.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderDoneNotice } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { renderFetchSparkline } from './fetch-chart.ts';
import { renderWarnings } from './warning-list.ts';

const DAYS = 14;

export async function sourcesPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { db, world, site } = context;
  const pageMessages = adminMessages(site.language);
  const now = world.clock.now();
  const [sources, spans] = [await listSources(db), await readFetchSpans(db, now, DAYS)];
  const messages = sourceSetupMessages(site.language);
  const addLinks = html`<div class="acts"><a class="button" href="/admin/sources/add">\
${pageMessages.addSource}</a><a class="button quiet" href="/admin/sources/import">\
${messages.importOpml}</a>${
    sources.length > 0 &&
    html`<a class="button quiet" href="/admin/sources.opml" download>${messages.exportOpml}</a>`
  }</div>`;
  const failing = sources.filter((source) => source.failures > 0 && source.status === 'active');
  const about = pageMessages.sourcesAbout(sources.length, failing.length);
  return {
    kind: 'page',
    title: pageMessages.sections.sources,
    section: 'sources',
    main: html`${renderPageHead(pageMessages.sections.sources, about, addLinks)}
${renderDoneNotice(context, request)}
${sources.length === 0 ? renderEmpty(pageMessages) : renderSourceTable(context, sources, spans)}`,
  };
}

type AdminMessages = ReturnType<typeof adminMessages>;

const renderEmpty = (messages: AdminMessages) =>
  html`<div class="empty"><h2>${messages.noSources}</h2><p>${messages.noSourcesAbout}</p></div>`;

function renderSourceTable(
  context: RadarPageContext,
  sources: readonly ListedSource[],
  spans: ReadonlyMap<string, readonly FetchSpan[]>,
): Html {
  const messages = adminMessages(context.site.language);
  const sortedSources = sources.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1),
  );
  const columns = [
    { label: messages.source },
    { label: messages.condition, isSelfExplanatory: true },
    { label: messages.lastDays(DAYS), isSelfExplanatory: true },
    { label: messages.items, isNumber: true },
    { label: messages.newest, isNumber: true },
    { label: messages.lag, isNumber: true },
  ];
  return renderListTable(
    columns,
    sortedSources.map((source) => rowOf(context, source, spans.get(source.id) ?? [])),
  );
}

/** Sources with problems come first. */
function rankOf({ status, failures }: ListedSource): number {
  if (status === 'gone') return 0;
  if (status === 'paused') return 2;
  return failures > 0 ? 1 : 3;
}

function rowOf(
  context: RadarPageContext,
  source: ListedSource,
  days: readonly FetchSpan[],
): TableRow {
  const { language } = context.site;
  const messages = adminMessages(language);
  const formatAge = (at: number | null) =>
    at === null ? '–' : messages.ago(formatDuration(language, context.world.clock.now() - at));
  const lag = source.medianLagMs === null ? '–' : formatDuration(language, source.medianLagMs);
  const chart = days.length === 0 ? '' : renderFetchSparkline(language, days);
  return [
    rowHeading(html`<a href="/admin/sources/${source.id}">${source.name}</a>
<span class="meta below">${messages.kinds[source.kind]} · ${messages.tiers[source.tier]}</span>`),
    { content: renderCondition(language, source), className: 'whole' },
    { content: chart, className: 'whole' },
    source.items,
    singleLineCell(formatAge(source.newestItemAt)),
    singleLineCell(lag),
  ];
}

export function renderCondition(
  language: Language,
  { status, failures, lastOutcome, lastMessage, lastNotes, kind }: ConditionFacts,
): Html {
  const messages = adminMessages(language);
  if (status === 'paused') return html`<span class="warning">${messages.statuses.paused}</span>`;
  if (status === 'gone') return html`<span class="negative">${messages.statuses.gone}</span>`;
  if (failures > 0) {
    return html`<span class="negative">${messages.failing(failures)}</span>\
${renderWarnings(language, { notes: lastNotes, message: lastMessage })}`;
  }
  // A source that was never fetched has no result yet.
  if (kind !== 'push' && lastOutcome === null) {
    return html`<span>${sourceSetupMessages(language).unchecked}</span>`;
  }
  const statusText = kind === 'push' ? messages.waitsForPush : messages.statuses.active;
  return html`<span class="positive">${statusText}</span>`;
}

type ConditionFacts = Pick<
  ListedSource,
  'status' | 'failures' | 'lastOutcome' | 'lastMessage' | 'lastNotes' | 'kind'
>;
