// The audit log of this admin area, newest first.

import { html } from '../../kernel/html/html.ts';
import { readSkip } from '../../kernel/http/whole-number.ts';
import type { ExportFormat } from '../../kernel/text/export-rows.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import { auditDownload } from '../../operators/audit-export.ts';
import { listAuditLines } from '../../operators/audit-log.ts';
import { auditExportLinks } from '../../operators/pages/audit-export-links.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from './admin-context.ts';
import { auditKinds, type RadarAuditKind } from './audit-kinds.ts';
import { renderAuditLines } from './audit-table.ts';
import { adminMessages } from './messages/messages.ts';

/** Downloads the audit log of this area, or the filtered part of the log. */
export const auditFile =
  (format: ExportFormat) =>
  async ({ db }: RadarPageContext, { query }: RadarAdminRequest) =>
    auditDownload(db, { query, format, kinds: auditKinds });

const PAGE_SIZE = 100;

export async function auditPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const kind = auditKinds.find((candidate) => candidate === query.get('kind')) ?? null;
  const subject = query.get('subject') || null;
  const skip = readSkip(query);
  const kinds = kind === null ? auditKinds : [kind];
  const lines = await listAuditLines(context.db, { kinds, subject, limit: PAGE_SIZE + 1, skip });
  const listedLines = lines.slice(0, PAGE_SIZE);
  const renderLink = (value: RadarAuditKind | null, label: string) =>
    html`<li><a href="/admin/audit${value === null ? '' : `?kind=${value}`}"${
      value === kind && html` aria-current="page"`
    }>${label}</a></li>
`;
  const filterParams = { ...(kind !== null && { kind }), ...(subject !== null && { subject }) };
  const nextPageParams = new URLSearchParams({ ...filterParams, skip: String(skip + PAGE_SIZE) });
  return {
    kind: 'page',
    title: messages.sections.audit,
    section: 'audit',
    main: html`${renderPageHead(messages.sections.audit, messages.auditAbout)}
<div class="filters"><ul>${renderLink(null, messages.everything)}\
${auditKinds.map((auditKind) => renderLink(auditKind, messages.auditKinds[auditKind]))}</ul></div>
${subject !== null && html`<p class="explains">${messages.onlyAbout(subject)}</p>`}
${
  listedLines.length === 0
    ? html`<p class="empty">${messages.noAudit}\
</p>`
    : await renderAuditLines(context, listedLines, true)
}
${auditExportLinks(context.site.language, filterParams)}
${
  lines.length > PAGE_SIZE &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/audit?${String(nextPageParams)}">\
${messages.older} →</a></p>`
}`,
  };
}
