// Renders the setup of one-time codes: the QR code, the secret as text, and the form that confirms
// it.
import type { TotpSetup } from '../crypto/second-factor.ts';
import { type Html, html } from '../html/html.ts';
import { renderQrImage } from '../html/qr-image.ts';
import { type FieldErrors, renderButton, renderPostForm, renderTextField } from './forms.ts';

export type FactorSetUpMessages = {
  readonly image: string;
  readonly secretHelp: string;
  readonly code: string;
  readonly currentPassword: string;
  readonly switchOn: string;
};

export type FactorSetUp = {
  readonly setup: TotpSetup;
  readonly action: string;
  /** Name of the field for the current password. */
  readonly passwordField: string;
  readonly errors: FieldErrors;
  readonly messages: FactorSetUpMessages;
};

export function renderFactorSetup(
  context: { readonly formToken: string },
  { setup, action, passwordField, errors, messages }: FactorSetUp,
): Html {
  const form = html`<input type="hidden" name="sealed" value="${setup.sealed}">
${renderTextField({
  name: 'code',
  label: messages.code,
  value: '',
  error: errors.code,
  inputMode: 'numeric',
  isRequired: true,
  autocomplete: 'one-time-code',
  isFocused: true,
})}${renderTextField({
  name: passwordField,
  label: messages.currentPassword,
  value: '',
  error: errors[passwordField],
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}
${renderButton(messages.switchOn)}`;
  return html`<div class="set-up">${renderQrImage(setup.uri, messages.image)}
<div>${renderPostForm(context, { action }, form)}
<p class="meta spaced">${messages.secretHelp}</p><p class="secret-text">\
${(setup.text.match(/.{1,4}/g) ?? []).join(' ')}</p></div></div>`;
}
