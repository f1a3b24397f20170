// The way in, as it is seen.
import { type DeskAssets, deskPage } from '../../kernel/desk/desk-page.ts';
import type { SignInPage } from '../../kernel/desk/operator-desk.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { AdminContext } from './admin-context.ts';
import { adminWords } from './words.ts';

export function signInPage(
  context: AdminContext & { assets: DeskAssets },
  page: SignInPage,
): string {
  const { site, sessions } = context;
  const words = adminWords(site.language);
  return deskPage(context, {
    title: words.signIn,
    body: html`<main id="main" tabindex="-1" class="door">
<p class="label">${site.name}</p>
<h1>${words.signIn}</h1>
${problemOf(words, page)}
<form method="post" action="/admin/sign-in">
<input type="hidden" name="token" value="${sessions.formToken(page.visitor)}">\
<input type="hidden" name="to" value="${page.to}">
<div class="field"><label for="f-password">${words.password}</label>
<input id="f-password" name="password" type="password" autocomplete="current-password" required\
${page.problem === 'wrong' && html` aria-invalid="true"`} aria-describedby="h-password">
<p class="help" id="h-password">${words.passwordHelp}</p></div>
<div class="field"><label for="f-name">${words.yourName}</label>
<input id="f-name" name="name" type="text" maxlength="60" autocomplete="name" value="${page.name}" \
aria-describedby="h-name">
<p class="help" id="h-name">${words.yourNameHelp}</p></div>
<button>${words.signIn}</button>
</form>
<p class="meta spaced"><a href="/">${words.toRadar}</a></p>
</main>`,
  });
}

function problemOf(words: ReturnType<typeof adminWords>, { problem, wait = 0 }: SignInPage): Html {
  if (problem === null) return html``;
  const said = problem === 'too_many' ? words.tooMany(wait) : words.signInProblems[problem];
  return html`<div class="notice negative" role="alert" tabindex="-1" data-focus><p>${said}</p>\
</div>`;
}
