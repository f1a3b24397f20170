// Sign-in pages: e-mail address and password, then a one-time code where it is set up. No page
// shows whether an address has an account.

import { type Html, html } from '../../../kernel/html/html.ts';
import { postForm, textField } from '../../../kernel/web/forms.ts';
import { returnPath } from '../../../kernel/web/return-path.ts';
import { carried, type KeptForm } from '../../../kernel/web/saved-form.ts';
import { readField, waitingResponse } from '../keys/form-input.ts';
import { spendingMessages } from '../messages/spending.ts';
import type {
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { doneNotice } from '../shell/notice.ts';

export const signInRoute: VisitorRoute = {
  path: '/console/sign-in',
  show: async (context, request) => {
    const to = returnPath('/console', request.query.get('to'));
    if (request.isSignedIn && request.notice === null) return { kind: 'moved', to };
    const problem = request.notice && context.words.signInProblems[request.notice];
    return passwordPage(context, request, { to, problem, status: 200 });
  },
  post: async (context, request) => {
    const { form, from, livemode, kept } = request;
    const to = returnPath('/console', form.get('to'));
    const email = readField(form, 'email');
    // Not trimmed: spaces may be part of the password.
    const password = (form.get('password') ?? '').slice(0, 1_000);
    const signed = await context.signIn.withPassword({
      email,
      password,
      from,
      start: { livemode },
    });
    const { signInProblems, tooMany } = context.words;
    const refused = (problem: string, status: number) =>
      passwordPage(context, request, { to, problem, status });
    switch (signed.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signed.token, to, kept };
      case 'code_needed':
        return codePage(context, { to, kept, pending: signed.pending, problem: null, status: 200 });
      case 'too_many':
        return waitingResponse(signed.waitMs, (wait) => refused(tooMany(wait), 429));
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a refused sign-in at the console');
        return refused(signInProblems.wrong, 401);
      case 'suspended':
        return refused(signInProblems.suspended, 403);
    }
  },
};

export const codeRoute: VisitorRoute = {
  path: '/console/sign-in/code',
  show: async ({ words }, request) =>
    request.notice === null
      ? { kind: 'moved', to: '/console/sign-in' }
      : { kind: 'page', title: words.signIn, body: again(words.tooOld, words.signIn) },
  post: async (context, request) => {
    const { form, from, livemode, kept } = request;
    const { words } = context;
    const to = returnPath('/console', form.get('to'));
    const pending = readField(form, 'pending', 500);
    const signed = await context.signIn.withCode({
      pending,
      code: readField(form, 'code', 60),
      from,
      start: { livemode },
    });
    const refused = (problem: string, status: number) =>
      codePage(context, { to, kept, pending, problem, status });
    switch (signed.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signed.token, to, kept };
      case 'stale':
        return passwordPage(context, request, { to, problem: words.tooOld, status: 403 });
      case 'too_many':
        return waitingResponse(signed.waitMs, (wait) => refused(words.tooMany(wait), 429));
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a wrong code at the console');
        return refused(words.codeWrong, 401);
      case 'suspended':
        return passwordPage(context, request, {
          to,
          problem: words.signInProblems.suspended,
          status: 403,
        });
    }
  },
};

const again = (text: string, label: string): Html =>
  html`<p class="explains">${text}</p>
<p class="more"><a class="button" href="/console/sign-in">${label}</a></p>`;

type SignInView = { readonly to: string; readonly problem: string | null; readonly status: number };
type CodeView = SignInView & { readonly pending: string; readonly kept: KeptForm | null };

function passwordPage(
  context: VisitorContext,
  request: VisitorRequest,
  { to, problem, status }: SignInView,
): VisitorResponse & { kind: 'page' } {
  const { words } = context;
  return {
    kind: 'page',
    status,
    title: words.signIn,
    body: html`${doneNotice(context, request)}${
      problem !== null && problemNotice(problem, { isKept: request.notice === 'ended' })
    }
${postForm(
  context,
  { action: '/console/sign-in' },
  html`<input type="hidden" name="to" value="${to}">\
${request.kept !== null && carried(request.kept)}
${textField({
  name: 'email',
  label: words.email,
  value: readField(request.form, 'email'),
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
<li><a class="link" href="/console/prices">\
${spendingMessages(context.site.language).prices}</a></li>
</ul>`,
  };
}

function codePage(
  context: VisitorContext,
  { to, kept, pending, problem, status }: CodeView,
): VisitorResponse & { kind: 'page' } {
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
<input type="hidden" name="pending" value="${pending}">${kept !== null && carried(kept)}
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
