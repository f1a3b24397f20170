// Renders the forms of the account page that request or cancel a change of the e-mail address.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatDate } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { readField } from '../keys/form-input.ts';
import type { ConsoleContext, ConsoleRequest } from '../shell/console-context.ts';
import { renderInboxNotice } from '../shell/layout.ts';

const ADDRESS_PATH = '/console/account/address';

export async function renderAddressChange(
  context: ConsoleContext,
  { form }: ConsoleRequest,
  errors: FieldErrors,
): Promise<Html> {
  const { messages, site, account, links, addressChange } = context;
  const pending = links === null ? null : await addressChange.pending(account.id);
  const { mail, noMail } = messages.changeAddressAbout;
  const hasError = errors.address !== undefined || errors.confirm !== undefined;
  return html`${
    pending !== null &&
    html`<div class="notice"><p>${messages.addressRequested(
      pending.address,
      formatDate(site.language, pending.until, context.world.clock.now()),
    )}</p>${renderPostForm(
      context,
      { action: `${ADDRESS_PATH}/keep` },
      renderButton(messages.keepAddress, 'link'),
    )}</div>${renderInboxNotice(context)}`
  }<details class="narrow spaced"${hasError && html` open`}><summary>${messages.changeAddress}\
</summary>
<p class="explains">${links === null ? noMail : mail}</p>
${renderPostForm(
  context,
  { action: ADDRESS_PATH },
  html`${renderTextField({
    name: 'address',
    label: messages.newAddress,
    value: readField(form, 'address'),
    type: 'email',
    isRequired: true,
    autocomplete: 'off',
    error: errors.address,
  })}${renderTextField({
    name: 'confirm',
    label: messages.currentPassword,
    value: '',
    error: errors.confirm,
    type: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  })}${renderButton(messages.changeAddress)}`,
)}</details>`;
}
