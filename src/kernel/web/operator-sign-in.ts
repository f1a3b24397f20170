// The sign-in page of an operator area.
import { type Html, html } from '../html/html.ts';
import { type FormSite, formPage, type PageLayout } from './form-page.ts';
import { formMessages } from './messages.ts';
import { carried, type KeptForm } from './saved-form.ts';

export type SignInPage = {
  readonly visitor: string;
  /** The path to open afterwards, within the area. */
  readonly to: string;
  readonly name: string;
  readonly problem: 'wrong' | 'too_many' | 'stale' | 'ended' | null;
  /** Seconds, with `too_many`. */
  readonly wait?: number;
  /** What was typed before a session ended. */
  readonly kept: KeptForm | null;
};

export type SignInWords = {
  readonly signIn: string;
  readonly password: string;
  readonly passwordHelp: string;
  readonly yourName: string;
  readonly yourNameHelp: string;
  readonly signInProblems: Readonly<Record<'wrong' | 'stale' | 'ended', string>>;
  tooMany(seconds: number): string;
};

export function operatorSignIn(
  dressed: PageLayout,
  page: SignInPage & {
    readonly formToken: string;
    /** Above the heading: the name of the area. */
    readonly label: string;
    readonly back: { readonly href: string; readonly label: string };
  },
  words: SignInWords,
): string {
  const isWrong = page.problem === 'wrong';
  return formPage(dressed, {
    title: words.signIn,
    body: html`<main id="main" tabindex="-1" class="door">
<p class="label">${page.label}</p>
<h1>${words.signIn}</h1>
${problemOf(words, page, dressed.site)}
<form method="post" action="/admin/sign-in">
<input type="hidden" name="token" value="${page.formToken}">\
<input type="hidden" name="to" value="${page.to}">${page.kept && carried(page.kept)}
<div class="field"><label for="f-password">${words.password}</label>
<input id="f-password" name="password" type="password" autocomplete="current-password" required\
${isWrong && html` aria-invalid="true"`} aria-describedby="h-password">
<p class="help" id="h-password">${words.passwordHelp}</p></div>
<div class="field"><label for="f-name">${words.yourName}</label>
<input id="f-name" name="name" type="text" maxlength="60" autocomplete="name" value="${page.name}" \
aria-describedby="h-name">
<p class="help" id="h-name">${words.yourNameHelp}</p></div>
<button>${words.signIn}</button>
</form>
<p class="meta spaced"><a href="${page.back.href}">${page.back.label}</a></p>
</main>`,
  });
}

function problemOf(
  words: SignInWords,
  { problem, wait = 0, kept }: SignInPage,
  { language }: FormSite,
): Html {
  if (problem === null) return html``;
  const problemText =
    problem === 'too_many'
      ? words.tooMany(wait)
      : problem === 'ended' && kept !== null
        ? formMessages(language).kept
        : words.signInProblems[problem];
  return html`<div class="notice negative" role="alert" tabindex="-1" data-focus>\
<p>${problemText}</p>\
</div>`;
}
