// The setup of one-time codes: the QR code, the secret as text, and the form that confirms it.
import type { TotpOffer } from '../crypto/second-factor.ts';
import { type Html, html } from '../html/html.ts';
import { qrImage } from '../html/qr-image.ts';
import { button, type FieldErrors, postForm, textField } from './forms.ts';

export type FactorSetUpMessages = {
  readonly image: string;
  readonly byHand: string;
  readonly code: string;
  readonly currentPassword: string;
  readonly switchOn: string;
};

export type FactorSetUp = {
  readonly offer: TotpOffer;
  readonly action: string;
  /** Name of the field for the current password. */
  readonly password: string;
  readonly errors: FieldErrors;
  readonly messages: FactorSetUpMessages;
};

export function secondFactorSetup(
  context: { readonly formToken: string },
  { offer, action, password, errors, messages }: FactorSetUp,
): Html {
  const form = html`<input type="hidden" name="sealed" value="${offer.sealed}">
${textField({
  name: 'code',
  label: messages.code,
  value: '',
  error: errors.code,
  inputMode: 'numeric',
  isRequired: true,
  autocomplete: 'one-time-code',
  isFocused: true,
})}${textField({
  name: password,
  label: messages.currentPassword,
  value: '',
  error: errors[password],
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}
${button(messages.switchOn)}`;
  return html`<div class="set-up">${qrImage(offer.uri, messages.image)}
<div>${postForm(context, { action }, form)}
<p class="meta spaced">${messages.byHand}</p><p class="secret-text">\
${(offer.text.match(/.{1,4}/g) ?? []).join(' ')}</p></div></div>`;
}
