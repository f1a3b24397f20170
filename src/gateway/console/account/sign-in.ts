// Sign-in pages: e-mail address and password, then a one-time code if the account uses such codes.
// No page shows whether an address has an account.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPostForm, renderTextField } from '../../../kernel/web/forms.ts';
import { toReturnPath } from '../../../kernel/web/return-path.ts';
import { renderSavedFields, type SavedForm } from '../../../kernel/web/saved-form.ts';
import { readField, readPassword, toRateLimitedResponse } from '../keys/form-input.ts';
import { spendingMessages } from '../messages/spending.ts';
import type {
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { renderDoneNotice } from '../shell/notice.ts';

export const signInRoute: VisitorRoute = {
  path: '/console/sign-in',
  show: async (context, request) => {
    const returnTo = toReturnPath('/console', request.query.get('to'));
    if (request.accountId !== null && request.notice === null)
      return { kind: 'moved', to: returnTo };
    const problem = request.notice && context.messages.signInProblems[request.notice];
    return renderPasswordPage(context, request, { to: returnTo, problem, status: 200 });
  },
  post: async (context, request) => {
    const { form, from, livemode, savedForm } = request;
    const to = toReturnPath('/console', form.get('to'));
    const email = readField(form, 'email');
    const password = readPassword(form, 'password');
    const result = await context.signIn.withPassword({
      email,
      password,
      from,
      start: { livemode },
    });
    const { signInProblems, tooMany } = context.messages;
    const renderRefused = (problem: string, status: number) =>
      renderPasswordPage(context, request, { to, problem, status });
    switch (result.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: result.token, to, savedForm };
      case 'code_needed':
        return renderCodePage(context, {
          to,
          savedForm,
          pending: result.pending,
          problem: null,
          status: 200,
        });
      case 'too_many':
        return toRateLimitedResponse(result.waitMs, (wait) => renderRefused(tooMany(wait), 429));
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a refused sign-in at the console');
        return renderRefused(signInProblems.wrong, 401);
      case 'suspended':
        return renderRefused(signInProblems.suspended, 403);
    }
  },
};

export const codeRoute: VisitorRoute = {
  path: '/console/sign-in/code',
  show: async ({ messages }, request) =>
    request.notice === null
      ? { kind: 'moved', to: '/console/sign-in' }
      : {
          kind: 'page',
          title: messages.signIn,
          body: renderRetryLink(messages.tooOld, messages.signIn),
        },
  post: async (context, request) => {
    const { form, from, livemode, savedForm } = request;
    const { messages } = context;
    const to = toReturnPath('/console', form.get('to'));
    const pending = readField(form, 'pending', 500);
    const result = await context.signIn.withCode({
      pending,
      code: readField(form, 'code', 60),
      from,
      start: { livemode },
    });
    const renderRefused = (problem: string, status: number) =>
      renderCodePage(context, { to, savedForm, pending, problem, status });
    switch (result.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: result.token, to, savedForm };
      case 'password_needed':
        return renderPasswordPage(context, request, { to, problem: messages.tooOld, status: 403 });
      case 'too_many':
        return toRateLimitedResponse(result.waitMs, (wait) =>
          renderRefused(messages.tooMany(wait), 429),
        );
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a wrong code at the console');
        return renderRefused(messages.codeWrong, 401);
      case 'suspended':
        return renderPasswordPage(context, request, {
          to,
          problem: messages.signInProblems.suspended,
          status: 403,
        });
    }
  },
};

const renderRetryLink = (text: string, label: string): Html =>
  html`<p class="explains">${text}</p>
<p class="more"><a class="button" href="/console/sign-in">${label}</a></p>`;

type SignInView = { readonly to: string; readonly problem: string | null; readonly status: number };
type CodeView = SignInView & { readonly pending: string; readonly savedForm: SavedForm | null };

function renderPasswordPage(
  context: VisitorContext,
  request: VisitorRequest,
  { to, problem, status }: SignInView,
): VisitorResponse & { kind: 'page' } {
  const { messages } = context;
  return {
    kind: 'page',
    status,
    title: messages.signIn,
    body: html`${renderDoneNotice(context, request)}${
      problem !== null && renderProblemNotice(problem, { isKept: request.notice === 'ended' })
    }
${renderPostForm(
  context,
  { action: '/console/sign-in' },
  html`<input type="hidden" name="to" value="${to}">\
${request.savedForm !== null && renderSavedFields(request.savedForm)}
${renderTextField({
  name: 'email',
  label: messages.email,
  value: readField(request.form, 'email'),
  type: 'email',
  isRequired: true,
  autocomplete: 'username',
})}${renderTextField({
  name: 'password',
  label: messages.password,
  value: '',
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}
<button>${messages.signIn}</button>`,
)}
<ul class="beside">
<li>${messages.noAccountYet} <a class="link" href="/console/sign-up">${messages.signUp}</a></li>
<li><a class="link" href="/console/reset">${messages.forgot}</a></li>
<li><a class="link" href="/console/prices">\
${spendingMessages(context.site.language).prices}</a></li>
</ul>`,
  };
}

function renderCodePage(
  context: VisitorContext,
  { to, savedForm, pending, problem, status }: CodeView,
): VisitorResponse & { kind: 'page' } {
  const { messages } = context;
  return {
    kind: 'page',
    status,
    title: messages.codeTitle,
    body: html`<p class="explains">${messages.codeAbout}</p>
${renderPostForm(
  context,
  { action: '/console/sign-in/code' },
  html`<input type="hidden" name="to" value="${to}">\
<input type="hidden" name="pending" value="${pending}">\
${savedForm !== null && renderSavedFields(savedForm)}
${renderTextField({
  name: 'code',
  label: messages.code,
  value: '',
  help: messages.codeHelp,
  error: problem ?? undefined,
  isRequired: true,
  autocomplete: 'one-time-code',
  isFocused: true,
})}
<button>${messages.signIn}</button>`,
)}`,
  };
}
