// Adds and edits sources, with a preview of the entries before they are stored.

import { type Html, html, webAddress } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { parseWireTime } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderConflictNotice,
  renderErrorSummary,
  renderPostForm,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { changedFields, withAudit } from '../../../operators/audit-log.ts';
import { type AddSourceResult, addSource } from '../../sources/add-source.ts';
import { type EditSourceResult, editSource, readLockedSource } from '../../sources/edit-source.ts';
import { formatWarning } from '../../sources/fetch/fetch-warning.ts';
import { parseSourceDefinition, type SourceDefinition } from '../../sources/source-settings.ts';
import { type TrySourceResult, trySource } from '../../sources/try-source.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { lastEditor } from '../audit-table.ts';
import { confirmAction } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { existingNotice, findSource, lineForm } from './find-source.ts';
import { noSource, requireSource } from './source.ts';
import {
  definitionFrom,
  errorsOf,
  newSource,
  type SourceField,
  type SourceValues,
  sourceFields,
  valuesOf,
  valuesOfForm,
} from './source-form.ts';

const SHOWN = 8;

type SourcePageView = {
  readonly values: SourceValues;
  readonly errors?: FieldErrors;
  readonly tried?: TrySourceResult;
  /** Null: a new source. */
  readonly edited: { readonly source: SourceDefinition; readonly version: number } | null;
  readonly notice?: Html;
  /** The one-line form with its result, above the form of a new source. */
  readonly lineForm?: Html;
  readonly status?: number;
};

function renderSourcePage(context: RadarPageContext, view: SourcePageView): RadarAdminResponse {
  const messages = adminMessages(context.site.language);
  const { values, errors = {}, tried: trial, edited, notice, status = 200 } = view;
  const lineFormPart = edited === null ? (view.lineForm ?? lineForm(context, '')) : null;
  const title = edited === null ? messages.addSource : messages.editOf(edited.source.name);
  const at = edited === null ? '/admin/sources/add' : `/admin/sources/${edited.source.id}/edit`;
  const backPath = edited === null ? '/admin/sources' : `/admin/sources/${edited.source.id}`;
  const isPush = edited?.source.kind === 'push';
  const body = html`${sourceFields(context, values, errors, edited === null)}
<div class="acts spaced">\
<button name="intent" value="save">${edited === null ? messages.addSource : messages.save}</button>
${!isPush && html`<button class="quiet" name="intent" value="preview">${messages.preview}</button>`}
<a href="${backPath}">${messages.cancel}</a></div>`;
  return {
    kind: 'page',
    status,
    title,
    section: 'sources',
    main: html`${renderPageHead(title, edited === null ? messages.addAbout : null)}
${notice}${renderErrorSummary(context, errors, messages.fields)}
<div class="two preview"><div>
${lineFormPart}
${renderPostForm(context, { action: at, version: edited?.version }, body)}</div>
<aside>${
      trial === undefined
        ? html`<p class="meta">${messages.previewAbout}\
</p>`
        : previewOf(context, trial)
    }</aside></div>`,
  };
}

function previewOf(context: RadarPageContext, trial: TrySourceResult): Html {
  const { site } = context;
  const messages = adminMessages(site.language);
  if (trial.kind === 'failed') {
    const reason = formatWarning(trial.warning, site.language);
    return html`<div class="notice negative" role="status" tabindex="-1" data-focus>
<h2 class="side">${messages.cannotRead}</h2><p>${reason}</p></div>`;
  }
  const { title, format, entries, warnings } = trial.feed;
  return html`<div role="status" tabindex="-1" data-focus>\
<h2 class="side">${messages.wouldYield(entries.length)}</h2>
<p class="meta"><span>${title === null ? messages.untitled : markLanguage(title, site.language)}\
</span>\
<span>${messages.formats[format]}</span></p>
<ol class="side-list">${entries.slice(0, SHOWN).map((entry) => {
    const link = entry.url === null ? null : webAddress(entry.url);
    const name = markLanguage(entry.title ?? messages.untitled, site.language);
    const at = formatPublishedAt(context, entry.publishedAt) ?? messages.undated;
    return html`<li>${link ? html`<a href="${link}" rel="noopener noreferrer">${name}</a>` : name}
<span class="meta">${at}</span></li>
`;
  })}</ol>
${entries.length > SHOWN && html`<p class="meta">${messages.andMore(entries.length - SHOWN)}</p>`}
${warnings.map(
  (warning) => html`<p class="warning">${formatWarning(warning, site.language)}</p>`,
)}</div>`;
}

function formatPublishedAt(context: RadarPageContext, at: string | null): Html | null {
  const instant = at === null ? null : parseWireTime(at);
  return instant === null ? null : renderDateTime(context, instant);
}

export async function addSourcePage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return renderSourcePage(context, { values: newSource(context.site.language), edited: null });
}

/** The one-line form, which fills the fields with the found source. */
export async function findSourcePage(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { lineForm, values, status } = await findSource(context, form.get('line') ?? '');
  const formValues = values ?? newSource(context.site.language);
  return renderSourcePage(context, { values: formValues, edited: null, lineForm, status });
}

export async function editSourcePage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { definition: source, version } = await requireSource(context, request);
  return renderSourcePage(context, { values: valuesOf(source), edited: { source, version } });
}

/** Uses the feed's own name when none was entered. */
async function previewSource(
  context: RadarPageContext,
  values: SourceValues,
  before: SourceDefinition | null,
) {
  const messages = adminMessages(context.site.language);
  const draftValues = values.name === '' ? { ...values, name: 'untitled' } : values;
  const definitionResult = definitionFrom(draftValues, messages.notJson);
  if (definitionResult.kind === 'invalid') return { errors: definitionResult.errors, values };
  const parsed = parseSourceDefinition(
    { ...definitionResult.json, ...hiddenSettingsOf(before) },
    context.site.language,
  );
  if (parsed.kind === 'invalid') return { errors: errorsOf(parsed.problems, draftValues), values };
  const trial = await trySource(context.world, context.robots, parsed.source);
  const title = trial.kind === 'read' ? (trial.feed.title ?? '') : '';
  const exists = before === null ? await existingNotice(context, parsed.source) : null;
  return {
    tried: trial,
    values: { ...values, name: values.name || title.slice(0, 120) },
    ...(exists !== null && { notice: exists }),
  };
}

/** Values that the form does not show stay unchanged. */
function hiddenSettingsOf(before: SourceDefinition | null): object {
  if (before === null) return {};
  const { id, privateHosts } = before;
  return { id, ...(privateHosts !== undefined && { privateHosts }) };
}

export async function saveAdded(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, jobs, site } = context;
  const messages = adminMessages(site.language);
  const formInput = valuesOfForm(request.form);
  if (request.form.get('intent') === 'preview') {
    const trial = await previewSource(context, formInput, null);
    return renderSourcePage(context, { ...trial, edited: null, status: trial.errors ? 422 : 200 });
  }
  const refuse = (errors: FieldErrors) =>
    renderSourcePage(context, { values: formInput, errors, edited: null, status: 422 });
  const definitionResult = definitionFrom(formInput, messages.notJson);
  if (definitionResult.kind === 'invalid') return refuse(definitionResult.errors);
  const added = await withAudit<AddSourceResult>(world, db, session, async (tx) => {
    const outcome = await addSource(world, tx, definitionResult.json, site.language);
    if (outcome.kind !== 'added') return { outcome, entry: null };
    const { id: subject, ...after } = outcome.source;
    const states = { before: {}, after, note: null };
    return { outcome, entry: { action: 'add', kind: 'source', subject, ...states } };
  });
  switch (added.kind) {
    case 'taken':
      return refuse({ url: messages.taken(added.by) });
    case 'invalid':
      return refuse(errorsOf(added.problems, formInput));
    case 'added': {
      const { id, kind } = added.source;
      if (kind !== 'push') await jobs.queueFetch(id);
      return confirmAction(
        context,
        null,
        `/admin/sources/${id}`,
        kind === 'push' ? 'addPush' : 'add',
      );
    }
  }
}

export async function saveEdited(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const { definition, version } = await requireSource(context, request);
  const values = valuesOfForm(request.form);
  const formVersion = versionOf(request.form) ?? 0;
  const edited = { source: definition, version: formVersion };
  if (request.form.get('intent') === 'preview') {
    const trial = await previewSource(context, values, definition);
    return renderSourcePage(context, { ...trial, edited, status: trial.errors ? 422 : 200 });
  }
  const refuse = (errors: FieldErrors) =>
    renderSourcePage(context, { values, errors, edited, status: 422 });
  const definitionResult = definitionFrom(values, messages.notJson);
  if (definitionResult.kind === 'invalid') return refuse(definitionResult.errors);
  const { id } = definition;
  const saved = await withAudit<EditSourceResult | { readonly kind: 'stale' }>(
    world,
    db,
    session,
    async (tx) => {
      const source = await readLockedSource(tx, id);
      if (source === null) throw noSource(id);
      if (source.version !== formVersion)
        return { outcome: { kind: 'stale' } as const, entry: null };
      const json = { ...definitionResult.json, ...hiddenSettingsOf(source.definition) };
      const outcome = await editSource(world, tx, source.definition, json, site.language);
      if (outcome.kind !== 'saved') return { outcome, entry: null };
      const changed = changedFields(source.definition, outcome.source);
      const isSame = Object.keys(changed.after).length === 0;
      const entry = {
        action: 'edit',
        kind: 'source',
        subject: id,
        ...changed,
        note: null,
      } as const;
      return { outcome, entry: isSame ? null : entry };
    },
  );
  switch (saved.kind) {
    case 'stale':
      return conflict(context, values, { source: definition, version });
    case 'taken':
      return refuse({ url: messages.taken(saved.by) });
    case 'invalid':
      return refuse(errorsOf(saved.problems, values));
    case 'saved':
      return confirmAction(context, null, `/admin/sources/${id}`, 'edit');
  }
}

/** The form keeps the submitted values; saving again replaces the current ones. */
async function conflict(
  context: RadarPageContext,
  formInput: SourceValues,
  edited: { readonly source: SourceDefinition; readonly version: number },
): Promise<RadarAdminResponse> {
  const { fields } = adminMessages(context.site.language);
  const now = valuesOf(edited.source);
  const differences = (Object.keys(now) as SourceField[])
    .filter((name) => now[name] !== formInput[name])
    .map((name) => ({ label: fields[name], currentValue: now[name], formInput: formInput[name] }));
  const editor = await lastEditor(context, 'source', edited.source.id);
  const notice = renderConflictNotice(context, differences, editor);
  return renderSourcePage(context, { values: formInput, edited, notice, status: 409 });
}
