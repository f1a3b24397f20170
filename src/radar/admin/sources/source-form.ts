// The form of a source. This file converts a definition into form fields, and back. It assigns each
// problem of a definition to a field.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import {
  type FieldErrors,
  renderChoiceField,
  renderTextField,
  textOf,
} from '../../../kernel/web/forms.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { sourceIdFrom } from '../../sources/add-source.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';

const fieldNames = [
  'kind',
  'url',
  'name',
  'owner',
  'tier',
  'language',
  'intervalMinutes',
  'participation',
  'categoryHint',
  'settings',
] as const;

export type SourceField = (typeof fieldNames)[number];
export type SourceValues = Readonly<Record<SourceField, string>>;

/** The values of an empty form. Most new sources have the language of the radar. */
export const emptySourceValues = (language: Language): SourceValues => ({
  kind: 'feed',
  url: '',
  name: '',
  owner: '',
  tier: 'T2',
  language,
  intervalMinutes: '30',
  participation: 'editorial',
  categoryHint: '',
  settings: '',
});

export function valuesOfForm(form: URLSearchParams): SourceValues {
  return Object.fromEntries(
    fieldNames.map((name) => [name, textOf(form, name) ?? '']),
  ) as SourceValues;
}

export function valuesOfSource(source: SourceDefinition): SourceValues {
  const { url = '', ...settings } = source.settings as { url?: string };
  const hasOnlyUrl = Object.keys(settings).length === 0;
  return {
    kind: source.kind,
    url,
    name: source.name,
    owner: source.owner,
    tier: source.tier,
    language: source.language,
    intervalMinutes: String(source.intervalMinutes),
    participation: source.participation,
    categoryHint: source.categoryHint ?? '',
    settings: hasOnlyUrl ? '' : JSON.stringify(settings, null, 2),
  };
}

export type FormDefinition =
  | { readonly kind: 'definition'; readonly json: object }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors };

/** Validates only the JSON syntax of the settings. `notJson`: the error for invalid JSON. */
export function readDefinition(values: SourceValues, notJson: string): FormDefinition {
  const { url, settings: text, categoryHint, intervalMinutes, ...otherValues } = values;
  const invalid = { kind: 'invalid', errors: { settings: notJson } } as const;
  let settings: object = {};
  try {
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return invalid;
    settings = parsed;
  } catch {
    return invalid;
  }
  const json = {
    ...otherValues,
    id: sourceIdFrom(idText(values)),
    owner: otherValues.owner === '' ? otherValues.name : otherValues.owner,
    intervalMinutes: Number(intervalMinutes),
    ...(categoryHint !== '' && { categoryHint }),
    settings: otherValues.kind === 'push' ? settings : { ...settings, url },
  };
  return { kind: 'definition', json };
}

/** The text from which the id is made: the name if it has Latin letters, else the address. */
function idText({ name, url }: SourceValues): string {
  if (sourceIdFrom(name).length > 2 && sourceIdFrom(name) !== 'source') return name;
  return URL.canParse(url) ? `${new URL(url).host} ${new URL(url).pathname}` : name;
}

/** Assigns problems such as `settings.url: must be …` to their form fields. */
export function fieldErrorsOf(problems: readonly string[], values: SourceValues): FieldErrors {
  const errors: Record<string, string> = {};
  for (const problem of problems) {
    const [, path = '', text = problem] = /^([\w.]+): (.+)$/s.exec(problem) ?? [];
    const [first = '', second] = path.split('.');
    const isUrl = first === 'settings' && second === 'url';
    const field = isUrl ? 'url' : first;
    const isField = fieldNames.some((name) => name === field);
    const message = field === 'settings' ? problem : text;
    if (isField)
      errors[field] = errors[field] === undefined ? message : `${errors[field]}; ${message}`;
    else errors[''] = problem;
  }
  // An empty owner is replaced by the name, so an error of the name would occur twice.
  const { owner: _owner, ...otherErrors } = errors;
  return values.owner === '' && errors.name !== undefined ? otherErrors : errors;
}

export function renderSourceFields(
  { site, categories, labels }: RadarPageContext,
  values: SourceValues,
  errors: FieldErrors,
  isNew: boolean,
): Html {
  const messages = adminMessages(site.language);
  const { fields, helps } = messages;
  const renderField = (name: SourceField, options: object = {}) =>
    renderTextField({
      name,
      label: fields[name],
      value: values[name],
      error: errors[name],
      ...options,
    });
  const renderChoice = (
    name: SourceField,
    labels: Readonly<Record<string, string>>,
    help?: string,
  ) =>
    renderChoiceField({
      name,
      label: fields[name],
      value: values[name],
      error: errors[name],
      ...(help !== undefined && { help }),
      choices: Object.entries(labels).map(([value, label]) => ({ value, label })),
    });
  const category = {
    '': messages.noCategory,
    ...Object.fromEntries(categories.map((id) => [id, labels[id] ?? id])),
  };
  const isPush = !isNew && values.kind === 'push';
  const kindField = html`<input type="hidden" name="kind" value="${values.kind}">`;
  return html`${isNew ? renderChoice('kind', messages.kinds) : kindField}
${isPush ? nothing : renderField('url', { type: 'url', help: helps.url })}
${renderField('name', { help: helps.name })}${renderField('owner', { help: helps.owner })}
<div class="columns">${renderChoice('tier', messages.tiers)}\
${renderChoice('participation', messages.participations)}\
${renderField('language', { help: helps.language })}\
${renderField('intervalMinutes', { type: 'number' })}\
${renderChoice('categoryHint', category, helps.categoryHint)}</div>
<details${(values.settings !== '' || errors.settings !== undefined) && html` open`}>\
<summary>${messages.more}</summary>
${renderField('settings', { rows: 8, isCode: true, help: helps.settings })}</details>`;
}
