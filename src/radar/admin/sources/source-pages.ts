// The pages that add and edit sources. A preview shows the entries before a source is stored.

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
import { findLastEditor } from '../audit-table.ts';
import { confirmAction } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { findExistingNotice, findSource, renderLineForm } from './find-source.ts';
import { noSourceFault, requireSource } from './source.ts';
import {
  emptySourceValues,
  fieldErrorsOf,
  readDefinition,
  renderSourceFields,
  type SourceField,
  type SourceValues,
  valuesOfForm,
  valuesOfSource,
} from './source-form.ts';

const ENTRIES_SHOWN = 8;

type SourcePageView = {
  readonly values: SourceValues;
  readonly errors?: FieldErrors;
  readonly trial?: TrySourceResult;
  /** Null: a new source. */
  readonly editedSource: { readonly source: SourceDefinition; readonly version: number } | null;
  readonly notice?: Html;
  /** The one-line form with its result, above the form of a new source. */
  readonly lineForm?: Html;
  readonly status?: number;
};

function renderSourcePage(context: RadarPageContext, view: SourcePageView): RadarAdminResponse {
  const messages = adminMessages(context.site.language);
  const { values, errors = {}, trial, editedSource, notice, status = 200 } = view;
  const lineFormPart =
    editedSource === null ? (view.lineForm ?? renderLineForm(context, '')) : null;
  const title =
    editedSource === null ? messages.addSource : messages.editOf(editedSource.source.name);
  const formPath =
    editedSource === null ? '/admin/sources/add' : `/admin/sources/${editedSource.source.id}/edit`;
  const backPath =
    editedSource === null ? '/admin/sources' : `/admin/sources/${editedSource.source.id}`;
  const isPush = editedSource?.source.kind === 'push';
  const body = html`${renderSourceFields(context, values, errors, editedSource === null)}
<div class="acts spaced">\
<button name="intent" value="save">\
${editedSource === null ? messages.addSource : messages.save}</button>
${!isPush && html`<button class="quiet" name="intent" value="preview">${messages.preview}</button>`}
<a href="${backPath}">${messages.cancel}</a></div>`;
  return {
    kind: 'page',
    status,
    title,
    section: 'sources',
    main: html`${renderPageHead(title, editedSource === null ? messages.addAbout : null)}
${notice}${renderErrorSummary(context, errors, messages.fields)}
<div class="two preview"><div>
${lineFormPart}
${renderPostForm(context, { action: formPath, version: editedSource?.version }, body)}</div>
<aside>${
      trial === undefined
        ? html`<p class="meta">${messages.previewAbout}\
</p>`
        : renderPreview(context, trial)
    }</aside></div>`,
  };
}

function renderPreview(context: RadarPageContext, trial: TrySourceResult): Html {
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
<ol class="side-list">${entries.slice(0, ENTRIES_SHOWN).map((entry) => {
    const link = entry.url === null ? null : webAddress(entry.url);
    const name = markLanguage(entry.title ?? messages.untitled, site.language);
    const at = formatPublishedAt(context, entry.publishedAt) ?? messages.undated;
    return html`<li>${link ? html`<a href="${link}" rel="noopener noreferrer">${name}</a>` : name}
<span class="meta">${at}</span></li>
`;
  })}</ol>
${
  entries.length > ENTRIES_SHOWN &&
  html`<p class="meta">${messages.andMore(entries.length - ENTRIES_SHOWN)}</p>`
}
${warnings.map(
  (warning) => html`<p class="warning">${formatWarning(warning, site.language)}</p>`,
)}</div>`;
}

function formatPublishedAt(context: RadarPageContext, at: string | null): Html | null {
  const instant = at === null ? null : parseWireTime(at);
  return instant === null ? null : renderDateTime(context, instant);
}

export async function addSourcePage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return renderSourcePage(context, {
    values: emptySourceValues(context.site.language),
    editedSource: null,
  });
}

/** Handles the one-line form: fills the other fields with the source that it finds. */
export async function findSourcePage(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { lineForm, values, status } = await findSource(context, form.get('line') ?? '');
  const formValues = values ?? emptySourceValues(context.site.language);
  return renderSourcePage(context, { values: formValues, editedSource: null, lineForm, status });
}

export async function editSourcePage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { definition: source, version } = await requireSource(context, request);
  return renderSourcePage(context, {
    values: valuesOfSource(source),
    editedSource: { source, version },
  });
}

/** Previews the source. An empty name becomes the title of the feed. */
async function previewSource(
  context: RadarPageContext,
  values: SourceValues,
  before: SourceDefinition | null,
) {
  const messages = adminMessages(context.site.language);
  const draftValues = values.name === '' ? { ...values, name: 'untitled' } : values;
  const definitionResult = readDefinition(draftValues, messages.notJson);
  if (definitionResult.kind === 'invalid') return { errors: definitionResult.errors, values };
  const parsed = parseSourceDefinition(
    { ...definitionResult.json, ...hiddenSettingsOf(before) },
    context.site.language,
  );
  if (parsed.kind === 'invalid')
    return { errors: fieldErrorsOf(parsed.problems, draftValues), values };
  const trial = await trySource(context.world, context.robots, parsed.source);
  const title = trial.kind === 'read' ? (trial.feed.title ?? '') : '';
  const existingNotice = before === null ? await findExistingNotice(context, parsed.source) : null;
  return {
    trial,
    values: { ...values, name: values.name || title.slice(0, 120) },
    ...(existingNotice !== null && { notice: existingNotice }),
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
    const preview = await previewSource(context, formInput, null);
    return renderSourcePage(context, {
      ...preview,
      editedSource: null,
      status: preview.errors ? 422 : 200,
    });
  }
  const renderRefusal = (errors: FieldErrors) =>
    renderSourcePage(context, { values: formInput, errors, editedSource: null, status: 422 });
  const definitionResult = readDefinition(formInput, messages.notJson);
  if (definitionResult.kind === 'invalid') return renderRefusal(definitionResult.errors);
  const addResult = await withAudit<AddSourceResult>(world, db, session, async (tx) => {
    const outcome = await addSource(world, tx, definitionResult.json, site.language);
    if (outcome.kind !== 'added') return { outcome, entry: null };
    const { id: subject, ...after } = outcome.source;
    const states = { before: {}, after, note: null };
    return { outcome, entry: { action: 'add', kind: 'source', subject, ...states } };
  });
  switch (addResult.kind) {
    case 'taken':
      return renderRefusal({ url: messages.taken(addResult.by) });
    case 'invalid':
      return renderRefusal(fieldErrorsOf(addResult.problems, formInput));
    case 'added': {
      const { id, kind } = addResult.source;
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
  const editedSource = { source: definition, version: formVersion };
  if (request.form.get('intent') === 'preview') {
    const preview = await previewSource(context, values, definition);
    const status = preview.errors ? 422 : 200;
    return renderSourcePage(context, { ...preview, editedSource, status });
  }
  const renderRefusal = (errors: FieldErrors) =>
    renderSourcePage(context, { values, errors, editedSource, status: 422 });
  const definitionResult = readDefinition(values, messages.notJson);
  if (definitionResult.kind === 'invalid') return renderRefusal(definitionResult.errors);
  const { id } = definition;
  const saveResult = await withAudit<EditSourceResult | { readonly kind: 'conflict' }>(
    world,
    db,
    session,
    async (tx) => {
      const source = await readLockedSource(tx, id);
      if (source === null) throw noSourceFault(id);
      if (source.version !== formVersion)
        return { outcome: { kind: 'conflict' } as const, entry: null };
      const json = { ...definitionResult.json, ...hiddenSettingsOf(source.definition) };
      const outcome = await editSource(world, tx, source.definition, json, site.language);
      if (outcome.kind !== 'saved') return { outcome, entry: null };
      const changedStates = changedFields(source.definition, outcome.source);
      const isSame = Object.keys(changedStates.after).length === 0;
      const entry = {
        action: 'edit',
        kind: 'source',
        subject: id,
        ...changedStates,
        note: null,
      } as const;
      return { outcome, entry: isSame ? null : entry };
    },
  );
  switch (saveResult.kind) {
    case 'conflict':
      return renderConflict(context, values, { source: definition, version });
    case 'taken':
      return renderRefusal({ url: messages.taken(saveResult.by) });
    case 'invalid':
      return renderRefusal(fieldErrorsOf(saveResult.problems, values));
    case 'saved':
      return confirmAction(context, null, `/admin/sources/${id}`, 'edit');
  }
}

/** Shows the submitted values in the form. Saving them again replaces the current values. */
async function renderConflict(
  context: RadarPageContext,
  formInput: SourceValues,
  edited: { readonly source: SourceDefinition; readonly version: number },
): Promise<RadarAdminResponse> {
  const { fields } = adminMessages(context.site.language);
  const currentValues = valuesOfSource(edited.source);
  const differences = (Object.keys(currentValues) as SourceField[])
    .filter((name) => currentValues[name] !== formInput[name])
    .map((name) => ({
      label: fields[name],
      currentValue: currentValues[name],
      formInput: formInput[name],
    }));
  const editor = await findLastEditor(context, 'source', edited.source.id);
  const notice = renderConflictNotice(context, differences, editor);
  return renderSourcePage(context, {
    values: formInput,
    editedSource: edited,
    notice,
    status: 409,
  });
}
