// The form of a subscription. This file converts a definition into form fields, and back.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import {
  type FieldErrors,
  renderChoiceField,
  renderTextField,
  renderTickField,
  textOf,
} from '../../../kernel/web/forms.ts';
import type { Language } from '../../../kernel/web/language.ts';
import type { Channel } from '../../../notifications/channels.ts';
import { type Schedule, type SubscriptionInput, zoneOf } from '../../subscriptions/subscription.ts';
import type { SubscriptionProblem } from '../../subscriptions/subscription-problems.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';

export type FormKind = SubscriptionInput['kind'];
export const formKinds: readonly FormKind[] = ['news', 'story', 'report', 'alerts'];

const linesOf = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Reads the definition without validation. A text that is not a number becomes NaN, which the
 * parser refuses.
 */
export function readDefinition(form: URLSearchParams, kind: FormKind): object {
  const [from, to] = [textOf(form, 'quietFrom'), textOf(form, 'quietTo')];
  const zone = textOf(form, 'zone');
  const zoneField = zone === null ? {} : { zone };
  return {
    kind,
    name: textOf(form, 'name') ?? '',
    channel: textOf(form, 'channel') ?? '',
    language: form.get('language') ?? 'en',
    match: readMatch(form, kind),
    schedule: kind === 'alerts' ? { at: 'instant' } : readSchedule(form, zoneField),
    quiet: from === null && to === null ? null : { from: from ?? '', to: to ?? '', ...zoneField },
    updates: form.has('updates') || kind === 'alerts',
  };
}

function readMatch(form: URLSearchParams, kind: FormKind): object {
  switch (kind) {
    case 'story':
      return { story: textOf(form, 'story') ?? '' };
    case 'report':
      return { reports: form.getAll('reports') };
    case 'alerts':
      return { severity: form.get('severity') ?? 'warn' };
    case 'news': {
      const score = textOf(form, 'minScore');
      return {
        any: linesOf(form, 'any'),
        none: linesOf(form, 'none'),
        categories: form.getAll('categories'),
        sources: linesOf(form, 'sources'),
        mode: form.get('mode') ?? 'selected',
        minScore: score === null ? null : Number(score),
        languages: form.getAll('languages'),
      };
    }
  }
}

function readSchedule(form: URLSearchParams, zoneField: { readonly zone?: string }): object {
  const chosenSchedule = form.get('schedule') ?? 'instant';
  if (chosenSchedule === 'instant') return { at: 'instant' };
  if (chosenSchedule !== 'daily') return { every: Number(chosenSchedule), ...zoneField };
  const daily = (form.get('daily') ?? '').split(/[\s,，、]+/).filter((time) => time !== '');
  const days = form.getAll('days').map(Number);
  return { daily, ...zoneField, ...(days.length > 0 && { days }) };
}

/** The form fields of a subscription. `zone`: the default time zone. */
export function fieldsOfSubscription(
  subscription: SubscriptionInput,
  zone: string,
): URLSearchParams {
  const { name, channel, language, schedule, quiet, updates } = subscription;
  const form = new URLSearchParams({ name, channel, language });
  if (updates) form.set('updates', 'on');
  if (quiet !== null) {
    form.set('quietFrom', quiet.from);
    form.set('quietTo', quiet.to);
  }
  form.set('zone', zoneOf(subscription, zone));
  setScheduleFields(form, schedule);
  setMatchFields(form, subscription);
  return form;
}

function setScheduleFields(form: URLSearchParams, schedule: Schedule): void {
  if ('at' in schedule) form.set('schedule', 'instant');
  else if ('every' in schedule) form.set('schedule', String(schedule.every));
  else {
    form.set('schedule', 'daily');
    form.set('daily', schedule.daily.join(', '));
    for (const day of schedule.days) form.append('days', String(day));
  }
}

function setMatchFields(form: URLSearchParams, subscription: SubscriptionInput): void {
  switch (subscription.kind) {
    case 'story':
      form.set('story', subscription.match.story);
      break;
    case 'report':
      for (const kind of subscription.match.reports) form.append('reports', kind);
      break;
    case 'alerts':
      form.set('severity', subscription.match.severity);
      break;
    case 'news': {
      const { any, none, categories, sources, mode, minScore, languages } = subscription.match;
      form.set('any', any.join('\n'));
      form.set('none', none.join('\n'));
      for (const category of categories) form.append('categories', category);
      form.set('sources', sources.join('\n'));
      form.set('mode', mode);
      form.set('minScore', minScore === null ? '' : String(minScore));
      for (const language of languages) form.append('languages', language);
    }
  }
}

/** Each problem by the form field that shows it. Problems of one field are joined. */
export function fieldErrorsOf(
  language: Language,
  problems: readonly SubscriptionProblem[],
): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { field, text } of problems) {
    const name = formFieldOf(field);
    const message = text[language];
    // The form has one time zone for the schedule and the quiet hours.
    if (errors[name] === message) continue;
    errors[name] = errors[name] === undefined ? message : `${errors[name]}; ${message}`;
  }
  return errors;
}

/** The form field for a definition's field: `any` for `match.any`, `quietFrom` for `quiet.from`. */
function formFieldOf(field: string): string {
  const [first = '', second = ''] = field.split('.');
  if (second === 'zone') return second;
  switch (first) {
    case 'match':
      return second === '' ? 'any' : second;
    case 'quiet':
      return second === 'to' ? 'quietTo' : 'quietFrom';
    case 'schedule':
      return second === 'daily' ? 'daily' : first;
    default:
      return first;
  }
}

export function renderSubscriptionFields(
  context: RadarPageContext,
  {
    kind,
    form,
    errors,
    channels,
  }: {
    readonly kind: FormKind;
    readonly form: URLSearchParams;
    readonly errors: FieldErrors;
    readonly channels: readonly Channel[];
  },
): Html {
  const messages = notificationMessages(context.site.language);
  const renderFormText = (name: string, label: string, options: object = {}) =>
    renderTextField({ name, label, value: form.get(name) ?? '', error: errors[name], ...options });
  return html`<input type="hidden" name="kind" value="${kind}">
${renderFormText('name', messages.name)}
${renderChoiceField({
  name: 'channel',
  label: messages.channel,
  value: form.get('channel') ?? '',
  error: errors.channel,
  choices: channels.map(({ id, name }) => ({ value: id, label: name })),
})}
${renderMatchFields(context, kind, form, errors)}
${kind === 'alerts' ? nothing : renderScheduleFields(context, form, errors)}
<div class="columns">\
${renderFormText('quietFrom', messages.quietFrom, { help: messages.quietHelp })}\
${renderFormText('quietTo', messages.quietTo)}${renderFormText('zone', messages.zone)}</div>
${renderChoiceField({
  name: 'language',
  label: messages.language,
  value: form.get('language') ?? context.site.language,
  choices: [
    { value: 'en', label: messages.languageNames.en },
    { value: 'zh-CN', label: messages.languageNames.zh },
  ],
})}
${
  kind !== 'alerts' &&
  html`<div class="field"><label><input type="checkbox" name="updates" value="on"\
${form.has('updates') && html` checked`}> ${messages.updates}</label></div>`
}`;
}

function renderMatchFields(
  { site, categories, labels }: RadarPageContext,
  kind: FormKind,
  form: URLSearchParams,
  errors: FieldErrors,
): Html {
  const messages = notificationMessages(site.language);
  const renderFormText = (name: string, label: string, options: object = {}) =>
    renderTextField({ name, label, value: form.get(name) ?? '', error: errors[name], ...options });
  const renderCheckboxes = (
    name: string,
    label: string,
    labels: Readonly<Record<string, string>>,
  ) =>
    html`${renderTickField({
      name,
      label,
      chosen: form.getAll(name),
      choices: Object.entries(labels).map(([value, label]) => ({ value, label })),
    })}${errors[name] !== undefined && html`<p class="error" id="f-${name}">${errors[name]}</p>`}`;
  switch (kind) {
    case 'story':
      return renderFormText('story', messages.story, { help: messages.storyHelp });
    case 'report':
      return renderCheckboxes('reports', messages.reportsLabel, messages.reports);
    case 'alerts':
      return renderChoiceField({
        name: 'severity',
        label: messages.severity,
        value: form.get('severity') ?? 'warn',
        choices: (['warn', 'page'] as const).map((value) => ({
          value,
          label: messages.severities[value],
        })),
      });
    case 'news':
      return html`${renderFormText('any', messages.any, { rows: 3, help: messages.anyHelp })}
${renderFormText('none', messages.none, { rows: 2 })}
${renderCheckboxes('categories', messages.categories, labelsOf(categories, labels))}
${renderFormText('sources', messages.sources, { rows: 2, help: messages.sourcesHelp })}
<div class="columns">${renderChoiceField({
        name: 'mode',
        label: messages.mode,
        value: form.get('mode') ?? 'selected',
        choices: (['selected', 'all'] as const).map((value) => ({
          value,
          label: messages.modes[value],
        })),
      })}${renderFormText('minScore', messages.minScore, { type: 'number' })}</div>
${renderCheckboxes('languages', messages.languages, messages.languageNames)}`;
  }
}

const labelsOf = (ids: readonly string[], labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(ids.map((id) => [id, labels[id] ?? id]));

function renderScheduleFields(
  { site }: RadarPageContext,
  form: URLSearchParams,
  errors: FieldErrors,
): Html {
  const messages = notificationMessages(site.language);
  const chosenSchedule = form.get('schedule') ?? 'instant';
  const knownValues = ['instant', '15', '60', '360', 'daily'];
  const offeredValues = knownValues.includes(chosenSchedule)
    ? knownValues
    : [...knownValues, chosenSchedule];
  return html`${renderChoiceField({
    name: 'schedule',
    label: messages.schedule,
    value: chosenSchedule,
    error: errors.schedule,
    choices: offeredValues.map((value) => ({
      value,
      label: messages.schedules[value] ?? messages.every(Number(value)),
    })),
  })}
${renderTextField({
  name: 'daily',
  label: messages.daily,
  value: form.get('daily') ?? '',
  help: messages.dailyHelp,
  error: errors.daily,
})}
${renderTickField({
  name: 'days',
  label: messages.days,
  chosen: form.getAll('days'),
  choices: messages.dayNames.map((label, index) => ({ value: String(index + 1), label })),
})}`;
}
