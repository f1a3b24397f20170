// Renders the page of an invitation, on which the invited operator chooses a password.
import { html } from '../html/html.ts';
import { type PageLayout, renderFormPage } from './form-page.ts';
import { renderButton, renderPostForm, renderTextField } from './forms.ts';
import { operatorMessages } from './operator-messages.ts';

export type InvitationPage = {
  readonly token: string;
  /** Null: the invitation is not valid. */
  readonly name: string | null;
  readonly problem: string | null;
  readonly formToken: string;
  /** The path prefix of the area: `/admin`. */
  readonly path: string;
  /** The name of the area, above the heading. */
  readonly label: string;
};

export function renderInvitationPage(layout: PageLayout, page: InvitationPage): string {
  const messages = operatorMessages(layout.site.language);
  const { name, problem, path, token } = page;
  const fields = html`<input type="hidden" name="invitation" value="${token}">
${renderTextField({
  name: 'password',
  label: messages.newPassword,
  value: '',
  help: messages.newPasswordHelp,
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
})}${renderTextField({
  name: 'again',
  label: messages.passwordAgain,
  value: '',
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
})}${renderButton(messages.setPassword)}`;
  return renderFormPage(layout, {
    title: messages.invitation,
    body: html`<main id="main" tabindex="-1" class="compact">
<p class="label">${page.label}</p>
<h1>${messages.invitation}</h1>
${
  problem !== null &&
  html`<div class="notice negative" role="alert" tabindex="-1" data-focus><p>${problem}</p></div>`
}
${
  name === null
    ? html`<p class="explains">${messages.invitationOver}</p>
<p><a class="button" href="${path}/sign-in">${messages.signIn}</a></p>`
    : html`<p class="explains">${messages.invitationAbout(name)}</p>
${renderPostForm(page, { action: `${path}/invitation` }, fields)}`
}
</main>`,
  });
}
