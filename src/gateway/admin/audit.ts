// Shows the audit log of the gateway's operators, newest first, and the entries of one object.

import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { readSkip } from '../../kernel/http/whole-number.ts';
import type { ExportFormat } from '../../kernel/text/export-rows.ts';
import { renderChangesTable } from '../../kernel/web/audit-table.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import { auditDownload } from '../../operators/audit-export.ts';
import { type AuditLine, listAuditLines } from '../../operators/audit-log.ts';
import { auditExportLinks } from '../../operators/pages/audit-export-links.ts';
import { operatorRecordMessages } from '../../operators/pages/messages.ts';
import { findAccount } from '../accounts/account.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from './admin-context.ts';
import { auditKinds, type GatewayAuditKind } from './audit-kinds.ts';
import { isFormReference } from './form-fields.ts';
import { renderFilters, renderOlderLink } from './list-parts.ts';
import { adminMessages } from './messages/admin.ts';
import { recordMessages } from './messages/record.ts';

/** Downloads the audit log of this area, filtered as on the page. */
export const auditFile =
  (format: ExportFormat) =>
  async ({ db }: GatewayAdminContext, { query }: GatewayAdminRequest) =>
    auditDownload(db, { query, format, kinds: auditKinds });

const PAGE_SIZE = 100;
const SHOWN_PER_OBJECT = 10;

export async function auditPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const kind = auditKinds.find((auditKind) => auditKind === query.get('kind')) ?? null;
  const subject = query.get('subject') || null;
  const skip = readSkip(query);
  const kinds = kind === null ? auditKinds : [kind];
  const lines = await listAuditLines(context.db, { kinds, subject, limit: PAGE_SIZE + 1, skip });
  const choices = auditKinds.map((value) => ({ value, label: messages.auditKinds[value] }));
  const filterParams = { ...(kind !== null && { kind }), ...(subject !== null && { subject }) };
  return {
    kind: 'page',
    title: messages.sections.audit,
    section: 'audit',
    main: html`${renderPageHead(messages.sections.audit, messages.auditAbout)}
${renderFilters({ path: '/admin/audit', name: 'kind', chosen: kind }, [
  { value: null, label: messages.everything },
  ...choices,
])}
${subject !== null && html`<p class="explains">${messages.onlyAbout(subject)}</p>`}
${
  lines.length === 0
    ? html`<p class="empty">${messages.noAudit}</p>`
    : await renderLinesTable(context, lines.slice(0, PAGE_SIZE), true)
}
${auditExportLinks(context.site.language, filterParams)}
${
  lines.length > PAGE_SIZE &&
  renderOlderLink(messages.older, '/admin/audit', { ...filterParams, skip: skip + PAGE_SIZE })
}`,
  };
}

/** The latest actions on one object; empty when there are none. */
export async function renderAuditPart(
  context: GatewayAdminContext,
  target: { readonly kind: GatewayAuditKind; readonly subject: string },
): Promise<Html> {
  const { kind, subject } = target;
  const filter = { kinds: [kind], subject, limit: SHOWN_PER_OBJECT, skip: 0 };
  const lines = await listAuditLines(context.db, filter);
  if (lines.length === 0) return nothing;
  const messages = adminMessages(context.site.language);
  return html`<section class="part"><h2 class="side">${messages.changesMade}</h2>
${await renderLinesTable(context, lines, false)}
<p class="more"><a class="link" href="/admin/audit?${String(new URLSearchParams(target))}">\
${messages.wholeAuditLog} →</a></p></section>`;
}

/**
 * Finds the author of the latest change, for an operator whose save conflicted with this change.
 */
export async function findLastEditor(
  { db }: GatewayAdminContext,
  kind: GatewayAuditKind,
  subject: string,
): Promise<string | null> {
  return (
    (await listAuditLines(db, { kinds: [kind], subject, limit: 1, skip: 0 }))[0]?.actor ?? null
  );
}

/** Renders field names and codes as words, without the internal ids of forms. */
export async function renderLinesTable(
  context: GatewayAdminContext,
  lines: readonly AuditLine<GatewayAuditKind>[],
  isSubjectShown: boolean,
): Promise<Html> {
  const { db, site } = context;
  const { language } = site;
  const { fields, values } = recordMessages(language);
  const admin = adminMessages(language);
  const operators = operatorRecordMessages(language);
  const messages = {
    ...admin,
    changeNames: { ...operators.fields, ...fields, ...admin.skus },
    changeValues: { ...operators.values, ...values },
  };
  const emails = new Map<string, string>();
  const ids = lines.flatMap(({ kind, subject, after }) => [
    kind === 'account' ? subject : '',
    String(after.account ?? ''),
  ]);
  for (const id of new Set(ids.filter(Boolean))) {
    emails.set(id, (await findAccount(db, id))?.email ?? id);
  }
  const readableLines = lines.map((auditLine) => ({
    ...auditLine,
    before: toReadableState(auditLine.before, emails),
    after: toReadableState(auditLine.after, emails),
  }));
  return renderChangesTable(
    { messages, times: context },
    readableLines,
    isSubjectShown ? subjectRenderer(emails) : null,
  );
}

function toReadableState(
  { form: _form, ...state }: Readonly<Record<string, unknown>>,
  emails: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const { reference, account, ...otherFields } = state;
  const isInternal = typeof reference === 'string' && isFormReference(reference);
  return {
    ...otherFields,
    ...(reference !== undefined && !isInternal && { reference }),
    ...(typeof account === 'string' && { account: emails.get(account) ?? account }),
  };
}

const folders: Readonly<Partial<Record<GatewayAuditKind, string>>> = {
  account: 'accounts',
  job: 'jobs',
  top_up: 'top-ups',
};

const subjectRenderer =
  (emails: ReadonlyMap<string, string>) =>
  ({ kind, subject }: AuditLine<GatewayAuditKind>): Html => {
    const folder = folders[kind];
    const name = emails.get(subject) ?? subject;
    if (folder === undefined) return html` <span class="below">${name}</span>`;
    return html` <a class="below" href="/admin/${folder}/${subject}">${name}</a>`;
  };
