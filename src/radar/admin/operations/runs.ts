// The page about background work: the queue, the last fetches, and the last attempts to write
// reports.

import { html } from '../../../kernel/html/html.ts';
import { parseWireTime } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { listReportRuns } from '../../reports/list-runs.ts';
import { listSources } from '../../sources/list-sources.ts';
import { listLatestFetches } from '../../sources/source-record.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';
import { renderFetchTable } from '../sources/source.ts';

const FETCHES_READ = 200;
const FETCHES_SHOWN = 40;
const RUNS_SHOWN = 15;

export async function runsPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { db, jobs, world, site } = context;
  const { language } = site;
  const messages = adminMessages(language);
  const [depths, fetches] = [await jobs.depths(), await listLatestFetches(db, FETCHES_READ)];
  const [runs, sources] = [await listReportRuns(db, RUNS_SHOWN), await listSources(db)];
  const notableFetches = fetches.filter(
    ({ outcome, notes }) => outcome !== 'unchanged' || notes.length > 0,
  );
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const importingSources = sources.filter((source) => source.importing > 0);
  const refresh = html`<a class="button quiet" href="/admin/runs" data-refresh>${messages.refresh}\
</a>`;
  return {
    kind: 'page',
    title: messages.sections.runs,
    section: 'runs',
    main: html`${renderPageHead(messages.sections.runs, messages.runsAbout, refresh)}
<p class="meta">${messages.asOf} ${renderDateTime(context, world.clock.now())}</p>
<div data-live><div class="two wide-side"><div>
<section class="part"><h2 class="side">${messages.lastFetches}</h2>
${
  fetches.length === 0
    ? html`<p class="empty">${messages.neverFetched}\
</p>`
    : html`<p class="meta">\
${messages.unchangedFetches(fetches.length - notableFetches.length, fetches.length)}</p>
${
  notableFetches.length > 0 &&
  renderFetchTable(context, notableFetches.slice(0, FETCHES_SHOWN), (id) => names.get(id) ?? id)
}`
}</section>
</div><aside>
<section class="part"><h2 class="side">${messages.queue}</h2>
${renderListTable(
  [
    { label: messages.work },
    { label: messages.waiting, isNumber: true },
    { label: messages.running, isNumber: true },
  ],
  depths.map(({ name, queued, active }) => [
    rowHeading(messages.jobNames[name] ?? name),
    queued,
    active,
  ]),
  { isTight: true },
)}</section>
${
  importingSources.length > 0 &&
  html`<section class="part"><h2 class="side">${messages.importing}</h2>\
<ul class="side-list">${importingSources.map(
    ({
      id,
      name,
      items,
      importing: remaining,
    }) => html`<li><a href="/admin/sources/${id}">${name}</a>
<progress max="${items}" value="${items - remaining}" aria-label="${name}"></progress>
<span class="meta">${items - remaining} / ${items}</span></li>
`,
  )}</ul></section>`
}
<section class="part"><h2 class="side">${messages.reportRuns}</h2>
${
  runs.length === 0
    ? html`<p class="meta">${messages.noRuns}</p>`
    : html`<ul class="side-list">${runs.map(({ at, kind, key, outcome }) => {
        const issue = formatIssueName(kind, key, site.language);
        const name = `${messages.reportKinds[kind]} · ${issue}`;
        const link =
          outcome === 'empty'
            ? html`${name}`
            : html`<a href="/admin/reports/${kind}/${key}">${name}</a>`;
        return html`<li>${link}<span class="meta"><span>${messages.runOutcomes[outcome] ?? outcome}\
</span>\
<span>${renderDateTime(context, parseWireTime(at) ?? 0)}</span></span></li>
`;
      })}</ul>`
}</section>
</aside></div></div>`,
  };
}
