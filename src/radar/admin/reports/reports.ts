// The page of reports: the list of existing reports, a preview of the next report, and the button
// that writes due reports.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { langAttribute, markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { type ReportPreview, renderPreview } from '../../publication/documents/preview-report.ts';
import { listReports, previewReport } from '../../reports/list-reports.ts';
import type { ReportPeriod } from '../../reports/report-periods.ts';
import { listDuePeriods, writeReport } from '../../reports/write-reports.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';

const reportKinds = ['daily', 'weekly', 'monthly'] as const;
const REPORTS_SHOWN = { daily: 30, weekly: 12, monthly: 12 } as const;

export function requireReportKind(name: string | undefined): ReportPeriod['kind'] {
  const kind = reportKinds.find((candidate) => candidate === name);
  if (kind === undefined) throw unknownKindFault(name);
  return kind;
}

const unknownKindFault = (name = '') =>
  new Fault('not_found', `There are no reports called ${name}.`, {
    inChinese: `没有名为 ${name} 的报告。`,
  });

export async function reportsPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { db, world, site } = context;
  const messages = adminMessages(site.language);
  const dueReports = await listDuePeriods(world, db);
  const columns = await Promise.all(
    reportKinds.map(async (kind) => {
      const reports = await listReports(db, kind, REPORTS_SHOWN[kind]);
      return html`<section><h2 class="side">${messages.reportKinds[kind]}</h2>
<p><a class="link" href="/admin/reports/next/${kind}">${messages.nextReport} →</a></p>
${
  reports.length === 0
    ? html`<p class="meta spaced">${messages.noReports}</p>`
    : html`<ul class="side-list spaced">${reports.map(
        ({ key, title, version, generatedAt }) => html`<li><a href="/admin/reports/${kind}/${key}">\
${
  title === null ? formatIssueName(kind, key, site.language) : markLanguage(title, site.language)
}</a>
<span class="meta">${
          title !== null &&
          html`<span>\
${formatIssueName(kind, key, site.language)}</span>`
        }\
<span>${renderDateTime({ site, world }, generatedAt)}\
</span>${version > 1 && html`<span>${messages.corrections(version - 1)}</span>`}</span></li>
`,
      )}</ul>`
}</section>
`;
    }),
  );
  return {
    kind: 'page',
    title: messages.sections.reports,
    section: 'reports',
    main: html`${renderPageHead(messages.sections.reports, messages.reportsAbout)}
${renderDoneNotice(context, request)}
${
  dueReports.length > 0 &&
  renderDueNotice(
    context,
    dueReports.map(
      ({ kind, key }) =>
        `${messages.reportKinds[kind]} ${formatIssueName(kind, key, site.language)}`,
    ),
  )
}
<div class="three">${columns}</div>`,
  };
}

function renderDueNotice(context: RadarPageContext, names: readonly string[]): Html {
  const messages = adminMessages(context.site.language);
  return html`<div class="notice"><p>${messages.due(names.join(messages.comma))}</p>
${renderPostForm(
  context,
  { action: '/admin/reports/due' },
  renderButton(messages.writeNow, 'quiet'),
)}</div>`;
}

/** The next report as readers would see it. The page stores nothing. */
export async function previewPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, reports, site } = context;
  const messages = adminMessages(site.language);
  const kind = requireReportKind(request.params.kind);
  const { period, content } = await previewReport(world, db, reports, kind);
  const preview = content === null ? null : await renderPreview(db, kind, content);
  const issueName = formatIssueName(kind, period.key, site.language);
  const title = `${messages.reportKinds[kind]} · ${issueName}`;
  return {
    kind: 'page',
    title,
    section: 'reports',
    main: html`${renderPageHead(title, messages.previewOfNext)}
<p class="meta"><span>${messages.covers} ${renderDateTime({ site, world }, period.windowStart)} – \
${renderDateTime({ site, world }, period.windowEnd)}</span></p>
<p class="meta"><span>${messages.dueAt} ${renderDateTime({ site, world }, period.dueAt)}</span></p>
${
  preview === null
    ? html`<p class="empty">${messages.noEntries}</p>`
    : renderPreviewText(preview, site.language)
}`,
  };
}

function renderPreviewText(preview: ReportPreview, language: Language): Html {
  const messages = adminMessages(language);
  const lang = (text: string) => langAttribute(text, language);
  const { title, text } = preview;
  return html`<article class="issue spaced">
${title && html`<h2${lang(title)}>${title}</h2>`}
${text && html`<div class="text"${lang(text)}><p>${text}</p></div>`}
${preview.sections.map(
  (section) => html`<section class="day spaced"><h2>${section.label}</h2><ol>${section.items.map(
    (entry) => html`<li class="entry wide"><div><h3${lang(entry.title)}>\
<a href="/admin/items/${entry.itemId}">${entry.title}</a></h3>
${entry.summary !== '' && html`<p class="tells"${lang(entry.summary)}>${entry.summary}</p>`}
<p class="meta"><span>${entry.sourceName}</span></p></div></li>
`,
  )}</ol></section>
`,
)}${
  preview.flashes.length === 0
    ? nothing
    : html`<section class="day"><h2>${messages.flashes}</h2><ul class="flashes">\
${preview.flashes.map(
  ({ itemId, title }) => html`<li><a href="/admin/items/${itemId}"${lang(title)}>${title}</a></li>
`,
)}</ul></section>`
}</article>`;
}

/** Writes all due reports, oldest first. A worker also does this every minute. */
export async function writeDue(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { world, db, reports, session } = context;
  for (const period of await listDuePeriods(world, db)) {
    await withAudit(world, db, session, async (tx) => {
      const { outcome } = await writeReport(world, tx, reports, period, true);
      const subject = `${period.kind}/${period.key}`;
      const states = { before: {}, after: { outcome }, note: null };
      return { outcome, entry: { action: 'write', kind: 'report', subject, ...states } };
    });
  }
  return confirmAction(context, null, '/admin/reports', 'write');
}
