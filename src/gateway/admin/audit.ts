// Audit log of the gateway's operators, newest first, and the entries of one object.

import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { changesTable } from '../../kernel/web/audit-table.ts';
import { pageHead } from '../../kernel/web/form-page.ts';
import { type AuditLine, auditLines } from '../../operators/audit-log.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from './admin-context.ts';
import { auditKinds, type GatewayAuditKind } from './audit-kinds.ts';
import { filterList, olderLink, skipOf } from './list-parts.ts';
import { adminWords } from './messages/admin.ts';

const LIMIT = 100;
const OF_ONE = 10;

export async function auditPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const words = adminWords(context.site.language);
  const kind = auditKinds.find((one) => one === query.get('kind')) ?? null;
  const subject = query.get('subject') || null;
  const skip = skipOf(query);
  const kinds = kind === null ? auditKinds : [kind];
  const lines = await auditLines(context.db, { kinds, subject, limit: LIMIT + 1, skip });
  const choices = auditKinds.map((value) => ({ value, label: words.auditKinds[value] }));
  const kept = { ...(kind !== null && { kind }), ...(subject !== null && { subject }) };
  return {
    kind: 'page',
    title: words.sections.audit,
    section: 'audit',
    main: html`${pageHead(words.sections.audit, words.auditAbout)}
${filterList({ path: '/admin/audit', name: 'kind', chosen: kind }, [
  { value: null, label: words.everything },
  ...choices,
])}
${subject !== null && html`<p class="explains">${words.onlyAbout(subject)}</p>`}
${
  lines.length === 0
    ? html`<p class="empty">${words.noAudit}</p>`
    : linesTable(context, lines.slice(0, LIMIT), true)
}
${lines.length > LIMIT && olderLink(words.older, '/admin/audit', { ...kept, skip: skip + LIMIT })}`,
  };
}

/** What was done to one thing, last; nothing while nothing was. */
export async function auditPart(
  context: GatewayAdminContext,
  about: { readonly kind: GatewayAuditKind; readonly subject: string },
): Promise<Html> {
  const { kind, subject } = about;
  const filter = { kinds: [kind], subject, limit: OF_ONE, skip: 0 };
  const lines = await auditLines(context.db, filter);
  if (lines.length === 0) return nothing;
  const words = adminWords(context.site.language);
  return html`<section class="part"><h2 class="side">${words.whatWasDone}</h2>
${linesTable(context, lines, false)}
<p class="more"><a class="link" href="/admin/audit?${String(new URLSearchParams(about))}">\
${words.wholeRecord} →</a></p></section>`;
}

/** The author of the latest change, for an operator whose save conflicted with it. */
export async function lastEditor(
  { db }: GatewayAdminContext,
  kind: GatewayAuditKind,
  subject: string,
): Promise<string | null> {
  return (await auditLines(db, { kinds: [kind], subject, limit: 1, skip: 0 }))[0]?.actor ?? null;
}

export function linesTable(
  { site: { language } }: GatewayAdminContext,
  lines: readonly AuditLine<GatewayAuditKind>[],
  hasSubject: boolean,
): Html {
  return changesTable({ language, words: adminWords(language) }, lines, hasSubject ? named : null);
}

const folders: Readonly<Partial<Record<GatewayAuditKind, string>>> = {
  account: 'accounts',
  job: 'jobs',
  top_up: 'top-ups',
};

function named({ kind, subject }: AuditLine<GatewayAuditKind>): Html {
  const folder = folders[kind];
  if (folder === undefined) return html` <span class="below">${subject}</span>`;
  return html` <a class="below" href="/admin/${folder}/${subject}">${subject}</a>`;
}
