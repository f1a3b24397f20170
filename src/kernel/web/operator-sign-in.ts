// Renders the sign-in page of an operator area.
import { type Html, html } from '../html/html.ts';
import { type FormSite, type PageLayout, renderFormPage } from './form-page.ts';
import { formMessages } from './messages.ts';
import { operatorMessages } from './operator-messages.ts';
import { renderSavedFields, type SavedForm } from './saved-form.ts';

/**
 * `stale`: the form is too old. `ended`: the session has ended. `sign_in_too_old`: the page
 * requires a more recent sign-in. `one_time_link`: the link is used, too old, or opened on another
 * machine.
 */
export type SignInProblem =
  | 'wrong'
  | 'stale'
  | 'ended'
  | 'one_time_link'
  | 'sign_in_too_old'
  | 'code_needed'
  | 'code_wrong';

export type SignInPage = {
  readonly visitor: string;
  /** The path to open afterwards, within the area. */
  readonly to: string;
  readonly name: string;
  readonly problem: SignInProblem | 'too_many' | null;
  /** A success message before the sign-in; absent: none. */
  readonly notice?: string;
  /** Present with `too_many`. */
  readonly waitSeconds?: number;
  /** The form that was submitted before the session ended. */
  readonly savedForm: SavedForm | null;
};

export function renderOperatorSignIn(
  layout: PageLayout,
  page: SignInPage & {
    readonly formToken: string;
    /** The name of the area, above the heading. */
    readonly label: string;
    readonly back: { readonly href: string; readonly label: string };
  },
): string {
  const messages = operatorMessages(layout.site.language);
  const isWrong = page.problem === 'wrong';
  const isCodeNeeded = page.problem === 'code_needed' || page.problem === 'code_wrong';
  return renderFormPage(layout, {
    title: messages.signIn,
    body: html`<main id="main" tabindex="-1" class="compact">
<p class="label">${page.label}</p>
<h1>${messages.signIn}</h1>
${renderProblem(page, layout.site)}
<form method="post" action="/admin/sign-in">
<input type="hidden" name="token" value="${page.formToken}">\
<input type="hidden" name="to" value="${page.to}">\
${page.savedForm && renderSavedFields(page.savedForm)}
<div class="field"><label for="f-name">${messages.yourName}</label>
<input id="f-name" name="name" type="text" maxlength="60" autocomplete="username" \
autocapitalize="none" spellcheck="false" value="${page.name}" aria-describedby="h-name">
<p class="help" id="h-name">${messages.yourNameHelp}</p></div>
<div class="field"><label for="f-password">${messages.password}</label>
<input id="f-password" name="password" type="password" autocomplete="current-password" required\
${isWrong && html` aria-invalid="true"`} aria-describedby="h-password">
<p class="help" id="h-password">${messages.passwordHelp}</p></div>
<div class="field"><label for="f-code">${messages.oneTimeCode}</label>
<input id="f-code" name="code" type="text" maxlength="60" autocomplete="one-time-code" \
inputmode="text"${isCodeNeeded && html` aria-invalid="true" required`} aria-describedby="h-code">
<p class="help" id="h-code">${messages.oneTimeCodeHelp}</p></div>
<button>${messages.signIn}</button>
</form>
<p class="meta spaced"><a href="${page.back.href}">${page.back.label}</a></p>
</main>`,
  });
}

function renderProblem(
  { problem, waitSeconds = 0, savedForm, notice }: SignInPage,
  { language }: FormSite,
): Html {
  const messages = operatorMessages(language);
  if (problem === null) {
    if (notice === undefined) return html``;
    return html`<div class="notice positive" role="status"><p>${notice}</p></div>`;
  }
  const describe = () => {
    if (problem === 'too_many') return messages.tooMany(waitSeconds);
    return problem === 'ended' && savedForm !== null
      ? formMessages(language).sessionEnded
      : messages.signInProblems[problem];
  };
  return html`<div class="notice negative" role="alert" tabindex="-1" data-focus>\
<p>${describe()}</p>\
</div>`;
}
