// The record as a table: who did what to which, when, and what it was and is.

import { changesTable } from '../../kernel/desk/changes-table.ts';
import type { Language } from '../../kernel/desk/language.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { auditLines, type AuditLine as Line } from '../../operators/audit.ts';
import { documentOf } from '../publication/edition/documents.ts';
import { itemOf } from '../publication/edition/edition.ts';
import type { Publication } from '../publication/open-publication.ts';
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
  { site, publication }: DeskContext,
  lines: readonly AuditLine[],
  hasSubject: boolean,
): Html {
  const { language } = site;
  const spoken = { language, words: { ...adminWords(language), ...changeWords(language) } };
  const subjectOf = (line: AuditLine) => linkedSubject(publication, line);
  return changesTable(
    spoken,
    lines.map((line) => asSeen(publication, line)),
    hasSubject ? subjectOf : null,
  );
}

/** What an act on stories is called inside tells an operator nothing; its stories' titles do. */
function asSeen(publication: Publication, line: AuditLine): AuditLine {
  const named = (kind: AuditKind, ids: unknown) =>
    Array.isArray(ids) ? ids.map((id) => nameOf(publication, { kind, subject: String(id) })) : ids;
  const seen = ({ act: _act, story: _story, ...state }: Readonly<Record<string, unknown>>) => ({
    ...state,
    ...(state.stories !== undefined && { stories: named('story', state.stories) }),
    ...(state.left !== undefined && { left: named('item', state.left) }),
    ...(state.items !== undefined && { items: named('item', state.items) }),
  });
  return { ...line, before: seen(line.before), after: seen(line.after) };
}

function changeWords(language: Language) {
  const words = adminWords(language);
  const { title, summary, category, item, items, sections, outcome, leaves } = words;
  const changeNames = {
    ...{ ...words.fields, title, summary, category, items, outcome },
    ...{ withdrawn: words.itemStates.withdrawn, stories: sections.stories },
    ...{ left: leaves, itemId: item, pin: words.pins, status: words.condition },
  };
  const changeValues = {
    ...{ ...words.kinds, ...words.tiers, ...words.participations, ...words.pinKinds },
    ...{ ...words.statuses, ...words.runOutcomes, true: words.yes, false: words.no },
  };
  return { changeNames, changeValues };
}

/** By what readers call it, while they see it. */
function nameOf(
  publication: Publication,
  { kind, subject }: Pick<AuditLine, 'kind' | 'subject'>,
): string {
  const edition = publication.edition();
  if (kind === 'item') return itemOf(edition, subject)?.title ?? subject;
  if (kind !== 'story') return subject;
  const body = documentOf(edition, 'story', subject)?.body;
  return body !== undefined && 'title' in body ? body.title : subject;
}

function linkedSubject(publication: Publication, line: AuditLine): Html {
  const { kind, subject } = line;
  if (kind === 'model') return html` <a class="below" href="/admin/model">${subject}</a>`;
  const folder = { source: 'sources', item: 'items', story: 'stories', report: 'reports' }[kind];
  const name = nameOf(publication, line);
  return html` <a class="below" href="/admin/${folder}/${subject}">${name}</a>`;
}
