// Renders the form fields of a webhook endpoint, and reads the submitted values.

import { type Html, html } from '../../../kernel/html/html.ts';
import { type FieldErrors, renderTextField } from '../../../kernel/web/forms.ts';
import { webhookEvents } from '../../webhooks/event-bodies.ts';
import { readField } from '../keys/form-input.ts';
import { type WebhookMessages, webhookMessages } from '../messages/webhooks.ts';
import type { ConsoleContext, ConsoleRequest } from '../shell/console-context.ts';

export type WebhookInput = { readonly url: string; readonly events: readonly string[] };

export const readWebhookInput = ({ form }: ConsoleRequest): WebhookInput => ({
  url: readField(form, 'url', 600),
  events: form.getAll('event').slice(0, 10),
});

export const ownerOf = ({ account, livemode }: ConsoleContext) => ({
  accountId: account.id,
  livemode,
});

/** Returns the message of a validation problem, by the field that shows the message. */
export const toErrors = (
  messages: WebhookMessages,
  problem: keyof WebhookMessages['problems'],
): FieldErrors => ({ [problem === 'events' ? 'event' : 'url']: messages.problems[problem] });

export function renderWebhookFields(
  { site }: ConsoleContext,
  { url, events }: WebhookInput,
  errors: FieldErrors,
): Html {
  const messages = webhookMessages(site.language);
  return html`${renderTextField({
    name: 'url',
    label: messages.url,
    value: url,
    help: messages.urlHelp,
    error: errors.url,
    type: 'url',
    isRequired: true,
    autocomplete: 'off',
  })}
<fieldset class="field ticks" id="f-event"${errors.event && html` aria-describedby="e-event"`}>\
<legend>${messages.events}</legend>
${webhookEvents.map(
  (event) => html`<label><input type="checkbox" name="event" value="${event}"\
${events.includes(event) && html` checked`}><span>${messages.eventNames[event]} \
<code>${event}</code></span></label>
`,
)}${errors.event && html`<p class="error" id="e-event">${errors.event}</p>`}
</fieldset>`;
}

/** Renders the secret, which is shown only once, in the response to the form. */
export function renderSecret(messages: WebhookMessages, secret: string): Html {
  return html`<div class="example" data-secret data-copy="${messages.copy}" \
data-copied="${messages.copied}"><pre><code>${secret}</code></pre></div>`;
}
