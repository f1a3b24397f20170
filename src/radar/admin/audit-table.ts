// The record as a table: who did what to which, when, and what it was and is.

import { dateTime } from '../../kernel/desk/show-time.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { auditLines, type AuditLine as Line } from '../../operators/audit.ts';
import type { DeskContext } from './admin-context.ts';
import type { AuditKind } from './audit-kinds.ts';
import { adminWords } from './words.ts';

type AuditLine = Line<AuditKind>;

const OF_ONE = 10;
const VALUE_MAX = 160;

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
  context: DeskContext,
  lines: readonly AuditLine[],
  hasSubject: boolean,
): Html {
  const { language } = context.site;
  const words = adminWords(language);
  return html`<div class="scroll"><table class="list"><thead><tr><th scope="col">${words.at}</th>\
<th scope="col">${words.who}</th><th scope="col">${words.what}</th>\
<th scope="col">${words.beforeAfter}</th></tr></thead><tbody>
${lines.map(
  (line) => html`<tr><td class="nowrap">${dateTime(language, line.at)}</td><td>${line.actor}</td>\
<td>${words.actions[line.action] ?? line.action}${hasSubject && subjectOf(line)}\
${line.note && html`<span class="meta below">“${line.note}”</span>`}</td><td>${differences(line)}\
</td></tr>
`,
)}</tbody></table></div>`;
}

function subjectOf({ kind, subject }: AuditLine): Html {
  const folder = { source: 'sources', item: 'items', story: 'stories', report: 'reports' }[kind];
  return html` <a class="below" href="/admin/${folder}/${subject}">${subject}</a>`;
}

function differences({ before, after }: AuditLine): Html {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return html`<ul class="changes">${names.map((name) => {
    const [was, is] = [shown(before[name]), shown(after[name])];
    return html`<li><span class="label">${name}</span> ${was && html`<del>${was}</del> `}\
${is ? html`<ins>${is}</ins>` : html`<ins>–</ins>`}</li>
`;
  })}</ul>`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
