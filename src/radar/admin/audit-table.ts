// The audit log as a table: operator, object, action, time, and the values before and after.

import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { langAttribute } from '../../kernel/html/text-language.ts';
import { renderChangesTable } from '../../kernel/web/audit-table.ts';
import type { Language } from '../../kernel/web/language.ts';
import { type AuditLine as Line, listAuditLines } from '../../operators/audit-log.ts';
import { operatorRecordMessages } from '../../operators/pages/messages.ts';
import {
  readItemTitles,
  readSourceNames,
  readStoryTitles,
} from '../publication/operator-titles.ts';
import type { RadarPageContext } from './admin-context.ts';
import type { RadarAuditKind } from './audit-kinds.ts';
import { editingMessages } from './messages/editing.ts';
import { adminMessages } from './messages/messages.ts';
import { modelMessages } from './messages/model.ts';
import { notificationMessages } from './messages/notifications.ts';
import { setupMessages } from './messages/setup.ts';

type AuditLine = Line<RadarAuditKind>;

const LINES_MAX = 10;

/** The latest actions on one object; empty when there are none. */
export async function renderAuditTable(
  context: RadarPageContext,
  target: { readonly kind: RadarAuditKind; readonly subject: string },
): Promise<Html> {
  const lines = await listAuditLines(context.db, {
    kinds: [target.kind],
    subject: target.subject,
    limit: LINES_MAX,
    skip: 0,
  });
  if (lines.length === 0) return nothing;
  const messages = adminMessages(context.site.language);
  const query = new URLSearchParams(target);
  return html`<section class="part"><h2 class="side">${messages.latestActions}</h2>
${await renderAuditLines(context, lines, false)}
<p class="more">\
<a class="link" href="/admin/audit?${String(query)}">${messages.allActions} →</a></p>\
</section>`;
}

/** Audit action of a fetch that an operator requested. It does not change the source. */
export const FETCH_ACTION = 'fetch';

/**
 * Name of the last editor, which a conflict page shows; null when the latest lines have no edit.
 */
export async function findLastEditor(
  { db }: RadarPageContext,
  kind: RadarAuditKind,
  subject: string,
): Promise<string | null> {
  const lines = await listAuditLines(db, { kinds: [kind], subject, limit: LINES_MAX, skip: 0 });
  return lines.find(({ action }) => action !== FETCH_ACTION)?.actor ?? null;
}

export async function renderAuditLines(
  context: RadarPageContext,
  lines: readonly AuditLine[],
  hasSubject: boolean,
): Promise<Html> {
  const { language } = context.site;
  const messages = {
    ...adminMessages(language),
    ...changeMessages(language),
  };
  const names = await readNames(context, lines);
  const subjectOf = (auditLine: AuditLine) => renderSubjectLink(language, names, auditLine);
  return renderChangesTable(
    { messages, times: context },
    lines.map((auditLine) => replaceIdsByTitles(names, auditLine)),
    hasSubject ? subjectOf : null,
  );
}

/** Fields of an audit line that list ids of other objects, with the kind of these objects. */
const referencedKinds = { stories: 'story', left: 'item', items: 'item' } as const;

type ObjectNames = Readonly<Record<'story' | 'item' | 'source', ReadonlyMap<string, string>>>;

const idsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map((id) => String(id)) : [];

/** The name or title of every object in these lines. */
async function readNames(
  { db }: RadarPageContext,
  lines: readonly AuditLine[],
): Promise<ObjectNames> {
  const ids = { story: new Set<string>(), item: new Set<string>() };
  for (const { kind, subject, before, after } of lines) {
    if (kind === 'story' || kind === 'item') ids[kind].add(subject);
    for (const state of [before, after]) {
      for (const [field, reference] of Object.entries(referencedKinds)) {
        for (const id of idsIn(state[field])) ids[reference].add(id);
      }
      if (typeof state.itemId === 'string') ids.item.add(state.itemId);
    }
  }
  return {
    story: await readStoryTitles(db, [...ids.story]),
    item: await readItemTitles(db, [...ids.item]),
    source: lines.some(({ kind }) => kind === 'source') ? await readSourceNames(db) : new Map(),
  };
}

/**
 * Replaces ids of stories and items by their titles, which operators recognise. Internal fields are
 * omitted.
 */
function replaceIdsByTitles(names: ObjectNames, auditLine: AuditLine): AuditLine {
  const readableFields = ({
    act: _act,
    story: _story,
    ...state
  }: Readonly<Record<string, unknown>>) => {
    const readableState: Record<string, unknown> = { ...state, ...splitSettings(state.settings) };
    for (const [field, reference] of Object.entries(referencedKinds)) {
      if (state[field] !== undefined) {
        readableState[field] = idsIn(state[field]).map((id) => names[reference].get(id) ?? id);
      }
    }
    const { itemId } = state;
    if (typeof itemId === 'string') readableState.itemId = names.item.get(itemId) ?? itemId;
    return readableState;
  };
  return {
    ...auditLine,
    before: readableFields(auditLine.before),
    after: readableFields(auditLine.after),
  };
}

/** Moves the address out of a source's settings, so that it is a row of its own. */
function splitSettings(settings: unknown): Readonly<Record<string, unknown>> {
  if (typeof settings !== 'object' || settings === null) return {};
  const { url, ...otherSettings } = settings as Readonly<Record<string, unknown>>;
  return { url, settings: Object.keys(otherSettings).length === 0 ? undefined : otherSettings };
}

function changeMessages(language: Language) {
  const messages = adminMessages(language);
  const { title, summary, category, item, items, sections, outcome, leaves } = messages;
  const operators = operatorRecordMessages(language);
  const notifications = notificationMessages(language);
  const setup = setupMessages(language);
  const changeNames = {
    ...operators.fields,
    state: notifications.state,
    channel: notifications.channel,
    schedule: notifications.schedule,
    updates: notifications.updates,
    whenUnsure: notifications.whenUnsure,
    zone: notifications.zone,
    match: notifications.match,
    quiet: notifications.quiet,
    ...messages.fields,
    title,
    summary,
    category,
    items,
    outcome,
    withdrawn: messages.itemStates.withdrawn,
    stories: sections.stories,
    left: leaves,
    itemId: item,
    placement: editingMessages(language).placement,
    pin: messages.pins,
    status: messages.condition,
    verified: messages.verified,
    editorial: setup.rules,
    ...modelMessages(language).steps,
  };
  const changeValues = {
    ...operators.values,
    ...notifications.kinds,
    ...notifications.kindTitles,
    ...notifications.unsure,
    ...notifications.channelStates,
    ...notifications.subscriptionStates,
    ...notifications.deliveryStates,
    ...messages.kinds,
    ...messages.tiers,
    ...messages.participations,
    ...messages.pinKinds,
    ...messages.statuses,
    ...messages.runOutcomes,
    ...editingMessages(language).placements,
    ...setup.rulesOf,
    true: messages.yes,
    false: messages.no,
  };
  return { changeNames, changeValues };
}

function renderSubjectLink(
  language: Language,
  names: ObjectNames,
  { kind, subject }: AuditLine,
): Html {
  if (kind === 'model') {
    return html` <a class="below" href="/admin/model">${modelMessages(language).routing}</a>`;
  }
  if (kind === 'settings') {
    return html` <a class="below" href="/admin/setup">${setupMessages(language).title}</a>`;
  }
  if (kind === 'operator') return html` <a class="below" href="/admin/operators">${subject}</a>`;
  const folder = {
    source: 'sources',
    item: 'items',
    story: 'stories',
    report: 'reports',
    channel: 'channels',
    subscription: 'subscriptions',
    delivery: 'deliveries',
  }[kind];
  const name = nameOf(language, names, kind, subject);
  const lang = kind === 'item' || kind === 'story' ? langAttribute(name, language) : nothing;
  return html` <a class="below" href="/admin/${folder}/${subject}"${lang}>${name}</a>`;
}

function nameOf(
  language: Language,
  names: ObjectNames,
  kind: RadarAuditKind,
  subject: string,
): string {
  if (kind === 'source' || kind === 'item' || kind === 'story') {
    return names[kind].get(subject) ?? subject;
  }
  if (kind !== 'report') return subject;
  const [report = '', key = ''] = subject.split('/');
  const { reportKinds } = adminMessages(language);
  return `${reportKinds[report as keyof typeof reportKinds] ?? report} ${key}`;
}
