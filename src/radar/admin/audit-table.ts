// The record as a table: who did what to which, when, and what it was and is.

import { changesTable } from '../../kernel/desk/changes-table.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { auditLines, type AuditLine as Line } from '../../operators/audit.ts';
import type { DeskContext } from './admin-context.ts';
import type { AuditKind } from './audit-kinds.ts';
import { adminWords } from './words.ts';

type AuditLine = Line<AuditKind>;

const OF_ONE = 10;

/** What was done to one thing, last; nothing while nothing was. */
export async function auditTable(
  context: DeskContext,
  about: { readonly kind: AuditKind; readonly subject: string },
): Promise<Html> {
  const lines = await auditLines(context.db, {
    ...{ kinds: [about.kind], subject: about.subject, limit: OF_ONE, skip: 0 },
  });
  if (lines.length === 0) return nothing;
  const words = adminWords(context.site.language);
  const query = new URLSearchParams(about);
  return html`<section class="part"><h2 class="side">${words.whatWasDone}</h2>
${linesTable(context, lines, false)}
<p class="more"><a class="link" href="/admin/audit?${String(query)}">${words.wholeRecord} →</a></p>\
</section>`;
}

/** Who changed it last, for whoever was overtaken. */
export async function lastEditor(
  { db }: DeskContext,
  kind: AuditKind,
  subject: string,
): Promise<string | null> {
  return (await auditLines(db, { kinds: [kind], subject, limit: 1, skip: 0 }))[0]?.actor ?? null;
}

export function linesTable(
  { site }: DeskContext,
  lines: readonly AuditLine[],
  hasSubject: boolean,
): Html {
  const { language } = site;
  const spoken = { language, words: adminWords(language) };
  return changesTable(spoken, lines, hasSubject ? subjectOf : null);
}

function subjectOf({ kind, subject }: AuditLine): Html {
  if (kind === 'model') return html` <a class="below" href="/admin/model">${subject}</a>`;
  const folder = { source: 'sources', item: 'items', story: 'stories', report: 'reports' }[kind];
  return html` <a class="below" href="/admin/${folder}/${subject}">${subject}</a>`;
}
