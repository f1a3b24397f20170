// The way in with e-mail address and password, then with a one-time code where that is set up.
// Whether an address has an account is never told.

import { type Html, html } from '../../../kernel/html/html.ts';
import { postForm, textField } from '../../../kernel/web/forms.ts';
import { deskPath } from '../../../kernel/web/return-path.ts';
import { typed, waitingAnswer } from '../keys/form-input.ts';
import type {
  OutsideAnswer,
  OutsideAsked,
  OutsideContext,
  OutsideRoute,
} from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { doneNotice } from '../shell/notice.ts';

export const signInRoute: OutsideRoute = {
  path: '/console/sign-in',
  show: async (context, asked) => {
    const to = deskPath('/console', asked.query.get('to'));
    if (asked.isSignedIn && asked.notice === null) return { kind: 'moved', to };
    const problem = asked.notice && context.words.signInProblems[asked.notice];
    return passwordPage(context, asked, { to, problem, status: 200 });
  },
  post: async (context, asked) => {
    const { form, from } = asked;
    const to = deskPath('/console', form.get('to'));
    const email = typed(form, 'email');
    // Not trimmed: spaces may be part of it.
    const password = (form.get('password') ?? '').slice(0, 1_000);
    const signed = await context.signIn.withPassword({ email, password, from });
    const { signInProblems, tooMany } = context.words;
    const refused = (problem: string, status: number) =>
      passwordPage(context, asked, { to, problem, status });
    switch (signed.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signed.token, to };
      case 'code_needed':
        return codePage(context, { to, pending: signed.pending, problem: null, status: 200 });
      case 'too_many':
        return waitingAnswer(signed.waitMs, (wait) => refused(tooMany(wait), 429));
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a refused sign-in at the console');
        return refused(signInProblems.wrong, 401);
      case 'suspended':
        return refused(signInProblems.suspended, 403);
    }
  },
};

export const codeRoute: OutsideRoute = {
  path: '/console/sign-in/code',
  show: async ({ words }, asked) =>
    asked.notice === null
      ? { kind: 'moved', to: '/console/sign-in' }
      : { kind: 'page', title: words.signIn, body: again(words.tooOld, words.signIn) },
  post: async (context, asked) => {
    const { form, from } = asked;
    const { words } = context;
    const to = deskPath('/console', form.get('to'));
    const pending = typed(form, 'pending', 500);
    const signed = await context.signIn.withCode({ pending, code: typed(form, 'code', 60), from });
    const refused = (problem: string, status: number) =>
      codePage(context, { to, pending, problem, status });
    switch (signed.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signed.token, to };
      case 'stale':
        return passwordPage(context, asked, { to, problem: words.tooOld, status: 403 });
      case 'too_many':
        return waitingAnswer(signed.waitMs, (wait) => refused(words.tooMany(wait), 429));
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a wrong code at the console');
        return refused(words.codeWrong, 401);
      case 'suspended':
        return passwordPage(context, asked, {
          to,
          problem: words.signInProblems.suspended,
          status: 403,
        });
    }
  },
};

const again = (said: string, label: string): Html =>
  html`<p class="explains">${said}</p>
<p class="more"><a class="button" href="/console/sign-in">${label}</a></p>`;

type Shown = { readonly to: string; readonly problem: string | null; readonly status: number };

function passwordPage(
  context: OutsideContext,
  asked: OutsideAsked,
  { to, problem, status }: Shown,
): OutsideAnswer & { kind: 'page' } {
  const { words } = context;
  return {
    kind: 'page',
    status,
    title: words.signIn,
    body: html`${doneNotice(context, asked)}${
      problem !== null && problemNotice(problem, { isKept: asked.notice === 'ended' })
    }
${postForm(
  context,
  { action: '/console/sign-in' },
  html`<input type="hidden" name="to" value="${to}">
${textField({
  name: 'email',
  label: words.email,
  value: typed(asked.form, 'email'),
  type: 'email',
  isRequired: true,
  autocomplete: 'username',
})}${textField({
  name: 'password',
  label: words.password,
  value: '',
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}
<button>${words.signIn}</button>`,
)}
<ul class="beside">
<li>${words.noAccountYet} <a class="link" href="/console/sign-up">${words.signUp}</a></li>
<li><a class="link" href="/console/reset">${words.forgot}</a></li>
</ul>`,
  };
}

function codePage(
  context: OutsideContext,
  { to, pending, problem, status }: Shown & { readonly pending: string },
): OutsideAnswer & { kind: 'page' } {
  const { words } = context;
  return {
    kind: 'page',
    status,
    title: words.codeTitle,
    body: html`<p class="explains">${words.codeAbout}</p>
${postForm(
  context,
  { action: '/console/sign-in/code' },
  html`<input type="hidden" name="to" value="${to}">\
<input type="hidden" name="pending" value="${pending}">
${textField({
  name: 'code',
  label: words.code,
  value: '',
  help: words.codeHelp,
  error: problem ?? undefined,
  isRequired: true,
  autocomplete: 'one-time-code',
  isFocused: true,
})}
<button>${words.signIn}</button>`,
)}`,
  };
}
