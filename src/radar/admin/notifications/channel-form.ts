// The fields of a channel, the choice of its subscriptions and the result of its test. The page
// that adds a channel and the setup page share them.
import { type Html, html } from '../../../kernel/html/html.ts';
import {
  type FieldErrors,
  renderChoiceField,
  renderTextField,
  textOf,
} from '../../../kernel/web/forms.ts';
import type { Language } from '../../../kernel/web/language.ts';
import type {
  ChannelField,
  ChannelFields,
  ChannelKind,
} from '../../../notifications/channel-kind.ts';
import {
  type ChannelProblem,
  type CheckedChannel,
  storeChannel,
} from '../../../notifications/channels.ts';
import type { DeliveryResult } from '../../../notifications/read-response.ts';
import { translateReason } from '../../../notifications/reason-texts.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { addSubscription } from '../../subscriptions/change-subscriptions.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';

type FormPart = {
  readonly values: URLSearchParams;
  readonly errors: FieldErrors;
  /** The prefix of the field names, so that one form can contain several kinds. */
  readonly prefix: string;
  /** False: the browser can submit the form without the fields of this kind. */
  readonly isRequired: boolean;
};

export function renderChannelFields(
  { site }: RadarPageContext,
  kind: ChannelKind,
  part: FormPart,
): Html {
  const messages = notificationMessages(site.language);
  const { values, prefix } = part;
  return html`${kind.fields
    .filter(({ isForRotation }) => isForRotation !== true)
    .map((field) => renderChannelField(site.language, kind, field, part))}${
    !kind.hasIds &&
    renderChoiceField({
      name: `${prefix}whenUnsure`,
      label: messages.whenUnsure,
      value: values.get(`${prefix}whenUnsure`) ?? 'send',
      choices: (['send', 'drop'] as const).map((value) => ({
        value,
        label: messages.unsure[value],
      })),
    })
  }`;
}

function renderChannelField(
  language: Language,
  kind: ChannelKind,
  { name, type, isRequired, preset }: ChannelField,
  { values, errors, prefix, isRequired: isPartRequired }: FormPart,
): Html {
  const messages = notificationMessages(language);
  const label = messages.fields[name] ?? name;
  const help = messages.fieldHelp[`${kind.name} ${name}`];
  return renderTextField({
    name: `${prefix}${name}`,
    label: isRequired ? label : `${label} (${messages.optional})`,
    value: values.get(`${prefix}${name}`) ?? preset ?? '',
    type: type === 'url' && isPartRequired ? 'url' : 'text',
    autocomplete: 'off',
    isRequired: isRequired && isPartRequired,
    ...(help !== undefined && { help }),
    error: errors[`${prefix}${name}`],
  });
}

export function readChannelFields(
  form: URLSearchParams,
  { fields }: ChannelKind,
  prefix: string,
): { readonly whenUnsure: 'send' | 'drop'; readonly fields: ChannelFields } {
  const entries = fields.flatMap(({ name }) => {
    const value = textOf(form, `${prefix}${name}`);
    return value === null ? [] : [[name, value] as const];
  });
  const whenUnsure = form.get(`${prefix}whenUnsure`) === 'drop' ? 'drop' : 'send';
  return { whenUnsure, fields: Object.fromEntries(entries) };
}

/** Error messages by form field. The key '' has the problem of the whole form. */
export function channelErrors(
  language: Language,
  { fields }: ChannelKind,
  problems: readonly ChannelProblem[],
  prefix: string,
): FieldErrors {
  const messages = notificationMessages(language);
  const nameOf = (field: string) => {
    if (fields.some(({ name }) => name === field)) return `${prefix}${field}`;
    return field === 'name' ? 'name' : '';
  };
  return Object.fromEntries(
    problems.map(({ field, problem }) => [nameOf(field), messages.problems[problem]]),
  );
}

/** Names of the fields in a summary of errors. */
export function channelFieldLabels(
  language: Language,
  { fields }: ChannelKind,
  prefix: string,
): Readonly<Record<string, string>> {
  const messages = notificationMessages(language);
  return Object.fromEntries(
    fields.map(({ name }) => [`${prefix}${name}`, messages.fields[name] ?? name]),
  );
}

type SubscriptionChoices = {
  readonly hasAlerts: boolean;
  readonly hasReport: boolean;
  /** Null: the same form chooses the zone. */
  readonly zone: string | null;
};

/** One checkbox for each subscription that a new channel can begin with. */
export function renderSubscriptionChoices(
  language: Language,
  { hasAlerts, hasReport, zone }: SubscriptionChoices,
): Html {
  const messages = notificationMessages(language);
  return html`${renderCheckbox('alerts', messages.sendAlerts, hasAlerts)}\
${renderCheckbox('report', messages.sendDailyReport(zone), hasReport)}`;
}

const renderCheckbox = (name: string, label: string, isChecked: boolean): Html =>
  html`<div class="field"><label><input type="checkbox" name="${name}" value="on"\
${isChecked && html` checked`}> ${label}</label></div>
`;

export type NewChannel = {
  readonly channel: CheckedChannel;
  /** The form with the checkboxes of subscriptions. */
  readonly form: URLSearchParams;
  readonly language: Language;
  readonly zone: string;
};

/** Stores the channel, its chosen subscriptions and an audit row in one transaction. */
export function storeNewChannel(
  { world, session, categories }: RadarPageContext,
  db: RadarPageContext['db'],
  { channel, form, language, zone }: NewChannel,
): Promise<{ readonly id: string; readonly secret: string | null }> {
  const messages = notificationMessages(language);
  const { name, kind, whenUnsure } = channel;
  return withAudit(world, db, session, async (tx) => {
    const { id, secret } = await storeChannel(world, tx, channel);
    const commonFields = { channel: id, language };
    const subscriptionName = (label: string) => `${label} · ${name}`.slice(0, 80);
    const chosenSubscriptions = [
      { kind: 'alerts', name: subscriptionName(messages.kinds.alerts), match: {}, ...commonFields },
      {
        kind: 'report',
        name: subscriptionName(messages.reports.daily),
        match: { reports: ['daily'] },
        schedule: { daily: ['08:00'], zone },
        ...commonFields,
      },
    ].filter((subscription) => form.has(subscription.kind));
    for (const input of chosenSubscriptions)
      await addSubscription(world, tx, input, { categories });
    const after = { name, kind: kind.title, whenUnsure };
    const entry = { action: 'add', kind: 'channel', subject: id, before: {}, after, note: null };
    return { outcome: { id, secret }, entry };
  });
}

/** A notice with the result of a test message. */
export function renderTestResult(language: Language, result: DeliveryResult): Html {
  const { tested: messages } = notificationMessages(language);
  if (result.kind === 'delivered') return renderTestNotice(true, messages.delivered(result.status));
  if (result.kind === 'moved') return renderTestNotice(false, messages.moved(result.chat));
  return renderTestNotice(false, messages.failed, translateReason(language, result.reason));
}

export const renderTestNotice = (
  isPositive: boolean,
  text: string,
  detail: string | null = null,
): Html =>
  html`<div class="notice ${isPositive ? 'positive' : 'negative'}" role="status" tabindex="-1" \
data-focus><p>${text}</p>${detail !== null && html`<p>${detail}</p>`}</div>`;
