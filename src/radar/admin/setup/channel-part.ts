// The fifth part of the setup page, which is optional: the kind of a channel, its fields and a
// test. Checkboxes preselect the subscriptions of the new channel.
import { formatWebhookSecret, SECRET_BYTES } from '../../../kernel/crypto/sign-webhook.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import type { FieldErrors } from '../../../kernel/web/forms.ts';
import type { World } from '../../../kernel/world.ts';
import { channelKindOf, channelKinds } from '../../../notifications/channel-kinds.ts';
import { type CheckedChannel, checkChannel } from '../../../notifications/channels.ts';
import type { DeliveryResult } from '../../../notifications/read-response.ts';
import { sendTest } from '../../../notifications/test-channel.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { setupMessages } from '../messages/setup.ts';
import {
  channelErrors,
  channelFieldLabels,
  readChannelFields,
  renderChannelFields,
  renderSubscriptionChoices,
  renderTestResult,
} from '../notifications/channel-form.ts';
import { kindTitle } from '../notifications/notification-tabs.ts';

/** Value of the button that sends a test message. The button of the same name starts the radar. */
export const TEST_CHANNEL = 'test-channel';

const prefixOf = (kind: string) => `${kind}-`;

/** Fills the webhook's secret field. The operator sees the secret here; no later page shows it. */
export const channelPresets = ({ random }: World): URLSearchParams =>
  new URLSearchParams({
    [`${prefixOf('webhook')}secret`]: formatWebhookSecret(random.bytes(SECRET_BYTES)),
  });

export function renderChannelPart(
  context: RadarPageContext,
  values: URLSearchParams,
  {
    errors,
    testResult,
  }: { readonly errors: FieldErrors; readonly testResult: DeliveryResult | null },
): Html {
  const { language } = context.site;
  const messages = setupMessages(language);
  const chosenKind = channelKindOf(values.get('channel') ?? '')?.name ?? '';
  // A submitted form always has the field `channel`. A new form preselects all subscriptions.
  const isNew = !values.has('channel');
  const renderChoice = (value: string, label: string, fields: Html | null) => html`<label>\
<input type="radio" name="channel" value="${value}"\
${value === chosenKind && html` checked`}> ${label}</label>
${fields !== null && html`<div class="chosen">${fields}</div>`}
`;
  return html`<p>${messages.notificationsAbout}</p>
<fieldset class="ticks kinds"><legend>${notificationMessages(language).chooseKind}</legend>
${renderChoice('', messages.noChannel, null)}${Object.values(channelKinds).map((kind) =>
  renderChoice(
    kind.name,
    kindTitle(context, kind.name),
    html`${renderChannelFields(context, kind, {
      values,
      errors,
      prefix: prefixOf(kind.name),
      isRequired: false,
    })}${testResult !== null && kind.name === chosenKind && renderTestResult(language, testResult)}
<p><button class="quiet" name="do" value="${TEST_CHANNEL}">\
${notificationMessages(language).test}</button></p>`,
  ),
)}</fieldset>
${renderSubscriptionChoices(language, {
  hasAlerts: isNew || values.has('alerts'),
  hasReport: isNew || values.has('report'),
  zone: null,
})}`;
}

/** `channel` is null when no kind is chosen or a field has an error. */
export async function readChannelPart(
  context: RadarPageContext,
  form: URLSearchParams,
): Promise<{ readonly channel: CheckedChannel | null; readonly errors: FieldErrors }> {
  const kind = channelKindOf(form.get('channel') ?? '');
  if (kind === null) return { channel: null, errors: {} };
  const prefix = prefixOf(kind.name);
  const input = {
    kind: kind.name,
    name: kindTitle(context, kind.name),
    ...readChannelFields(form, kind, prefix),
  };
  const { world, site, notifications } = context;
  const checkResult = await checkChannel(world, input, { hasSmtp: notifications.smtp !== null });
  if (checkResult.kind === 'valid') return { channel: checkResult.channel, errors: {} };
  return {
    channel: null,
    errors: channelErrors(site.language, kind, checkResult.problems, prefix),
  };
}

export function channelLabels(
  { site }: RadarPageContext,
  values: URLSearchParams,
): Readonly<Record<string, string>> {
  const kind = channelKindOf(values.get('channel') ?? '');
  return kind === null ? {} : channelFieldLabels(site.language, kind, prefixOf(kind.name));
}

/** Sends a test message. It has an audit row, because other people receive the message. */
export async function testSetupChannel(
  { world, db, notifications, session }: RadarPageContext,
  channel: CheckedChannel,
): Promise<DeliveryResult> {
  const result = await sendTest(world, notifications, channel);
  const after = { channel: channel.kind.title, outcome: result.kind };
  const entry = { action: 'test', kind: 'settings', subject: 'setup', before: {}, after };
  await withAudit(world, db, session, async () => ({
    outcome: null,
    entry: { ...entry, note: null },
  }));
  return result;
}
