// The page of one source: its definition, its fetches, and the actions on the source.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, webAddress } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDuration, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, singleLineCell } from '../../../kernel/web/list-table.ts';
import {
  type FetchRecord,
  readSourceRecord,
  type SourceRecord,
} from '../../sources/source-record.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderAuditTable } from '../audit-table.ts';
import { renderDoneNotice } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { renderFetchChart } from './fetch-chart.ts';
import { renderCondition } from './sources.ts';
import { renderWarnings } from './warning-list.ts';

const DAYS = 30;

export const noSourceFault = (id: string) =>
  new Fault('not_found', `There is no source called ${id}.`, {
    inChinese: `没有名为 ${id} 的来源。`,
  });

export async function requireSource(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<SourceRecord> {
  const id = request.params.id ?? '';
  const source = await readSourceRecord(context.db, id, context.world.clock.now(), DAYS);
  if (source === null) throw noSourceFault(id);
  return source;
}

export async function sourcePage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const source = await requireSource(context, request);
  const { language } = context.site;
  const messages = adminMessages(language);
  const { definition } = source;
  return {
    kind: 'page',
    title: definition.name,
    section: 'sources',
    main: html`${renderPageHead(definition.name, null, renderActionButtons(context, source))}
${renderDoneNotice(context, request)}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.yieldAndFailures(DAYS)}</h2>
${
  source.fetches.length === 0
    ? html`<p class="empty">\
${definition.kind === 'push' ? messages.neverPushed : messages.neverFetched}</p>`
    : renderFetchChart(language, source.days, context.world.clock.now())
}</section>
${renderFetches(context, source.fetches)}
</div><aside><h2 class="side">${messages.facts}</h2>${renderFacts(context, source)}
${renderRemoval(context, source)}</aside></div>
${await renderAuditTable(context, { kind: 'source', subject: definition.id })}`,
  };
}

function renderActionButtons(
  context: RadarPageContext,
  { definition, version, status }: SourceRecord,
): Html {
  const messages = adminMessages(context.site.language);
  const path = `/admin/sources/${definition.id}`;
  const [action, label] =
    status === 'active' ? ['pause', messages.pause] : ['resume', messages.resume];
  return html`<div class="acts"><a class="button quiet" href="${path}/edit">${messages.edit}</a>
${
  definition.kind !== 'push' &&
  status === 'active' &&
  renderPostForm(context, { action: `${path}/read` }, renderButton(messages.fetchNow, 'quiet'))
}${renderPostForm(context, { action: `${path}/${action}`, version }, renderButton(label, 'quiet'))}\
</div>`;
}

function renderRemoval(context: RadarPageContext, { definition, version }: SourceRecord): Html {
  const messages = sourceSetupMessages(context.site.language);
  const action = `/admin/sources/${definition.id}/remove`;
  return html`<p class="meta">${messages.removeAbout}</p>
${renderPostForm(context, { action, version }, renderButton(messages.remove, 'danger'))}`;
}

function renderFacts(context: RadarPageContext, source: SourceRecord): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  const { definition, status, failures, fetches } = source;
  const url = definition.kind === 'push' ? null : definition.settings.url;
  const link = url === null ? null : webAddress(url);
  const renderTime = (at: number | null) => (at === null ? '–' : renderDateTime(context, at));
  const condition = {
    status,
    failures,
    kind: definition.kind,
    lastOutcome: fetches[0]?.outcome ?? null,
    lastMessage: fetches[0]?.message ?? null,
    lastNotes: fetches[0]?.notes ?? [],
  };
  const rows: readonly (readonly [string, Html | string])[] = [
    [messages.condition, renderCondition(language, condition)],
    [messages.fields.id, html`<code>${definition.id}</code>`],
    [messages.fields.kind, messages.kinds[definition.kind]],
    ...(link === null
      ? []
      : ([
          [messages.fields.url, html`<a href="${link}" rel="noopener noreferrer">${url}</a>`],
        ] as const)),
    [messages.fields.owner, definition.owner],
    [messages.fields.tier, messages.tiers[definition.tier]],
    [messages.fields.participation, messages.participations[definition.participation]],
    [messages.fields.language, languageName(language, definition.language)],
    [
      messages.fields.intervalMinutes,
      formatDuration(language, definition.intervalMinutes * 60_000),
    ],
    [messages.lastSuccess, renderTime(source.lastSuccessAt)],
    [messages.nextFetch, status === 'active' ? renderTime(source.nextReadAt) : '–'],
    [messages.added, renderTime(source.addedAt)],
  ];
  return html`<dl class="facts stacked">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>`;
}

/** Such as `English` for `en`. An invalid tag stays unchanged. */
function languageName(language: Language, tag: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

function renderFetches(context: RadarPageContext, fetches: readonly FetchRecord[]): Html {
  const messages = adminMessages(context.site.language);
  if (fetches.length === 0) return html``;
  return html`<section class="part"><h2 class="side">${messages.lastFetches}</h2>
${renderFetchTable(context, fetches)}</section>`;
}

/** `nameOf` returns the name of a source; absent: the table has no column for the source. */
export function renderFetchTable(
  { site, world }: RadarPageContext,
  fetches: readonly FetchRecord[],
  nameOf?: (sourceId: string) => string,
): Html {
  const messages = adminMessages(site.language);
  const columns = [
    { label: messages.at, isSelfExplanatory: true },
    ...(nameOf ? [{ label: messages.source, isSelfExplanatory: true }] : []),
    { label: messages.outcome, isSelfExplanatory: true },
    { label: messages.entries, isNumber: true },
    { label: messages.created, isNumber: true },
    { label: messages.changed, isNumber: true },
    { label: messages.took, isNumber: true },
  ];
  return renderListTable(
    columns,
    fetches.map((fetchRecord) => [
      singleLineCell(renderDateTime({ site, world }, fetchRecord.at)),
      ...(nameOf
        ? [
            html`<a href="/admin/sources/${fetchRecord.sourceId}">\
${nameOf(fetchRecord.sourceId)}</a>`,
          ]
        : []),
      {
        content: html`<span class="nowrap${isFailed(fetchRecord) && html` negative`}">\
${messages.outcomes[fetchRecord.outcome]}</span>${renderWarnings(site.language, fetchRecord)}`,
        className: 'whole',
      },
      fetchRecord.entries,
      fetchRecord.created,
      fetchRecord.changed,
      messages.milliseconds(fetchRecord.durationMs),
    ]),
  );
}

const isFailed = ({ outcome }: FetchRecord) => ['failed', 'refused', 'gone'].includes(outcome);
