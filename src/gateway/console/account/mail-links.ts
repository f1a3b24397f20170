// Pages that open from links in mails. A link only opens a page with a button, because some mail
// programs open links automatically.

import { passwordProblemText } from '../../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPostForm, renderTextField } from '../../../kernel/web/forms.ts';
import { readField, readPassword, toRateLimitedResponse } from '../keys/form-input.ts';
import type {
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from '../shell/console-context.ts';
import { renderInboxNotice, renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';

const VERIFY_PATH = '/console/verify';

/** Reads the token of a mailed link from the form, or from the page address. */
export const tokenOf = ({ form, query }: VisitorRequest) =>
  (form.get('link') ?? query.get('token') ?? '').slice(0, 100);

/** The sign-in page, which leads back to the page of the link. */
export function signInPathTo(path: string, request: VisitorRequest): string {
  const to = `${path}?${new URLSearchParams({ token: tokenOf(request) })}`;
  return `/console/sign-in?${new URLSearchParams({ to })}`;
}

export const verifyRoute: VisitorRoute = {
  path: VERIFY_PATH,
  show: async (context, request) => {
    const need = await context.links?.readVerifyNeed(tokenOf(request), request);
    switch (need) {
      case 'button':
        return renderVerifyPage(context, request);
      case 'password':
        return renderVerifyWithPassword(context, request, undefined, 200);
      default:
        return renderInvalidVerification(context);
    }
  },
  post: async (context, request) => {
    const { links, site } = context;
    if (links === null) return renderInvalidVerification(context);
    const token = tokenOf(request);
    const password = request.form.has('password') ? readPassword(request.form, 'password') : null;
    const result =
      password === null
        ? await links.verify(token, request)
        : await links.resetPassword({ token, purpose: 'verify', password, origin: request.from });
    switch (result.kind) {
      case 'no_link':
        return renderInvalidVerification(context);
      case 'password_needed':
        return renderVerifyWithPassword(context, request, undefined, 403);
      case 'invalid': {
        const error = passwordProblemText(result.problems, site.language);
        return renderVerifyWithPassword(context, request, error, 422);
      }
      case 'verified':
        if (request.accountId === result.accountId) {
          return redirectWithNotice('/console', 'verified');
        }
        return startAfterVerification(context, request, result);
      case 'set':
        return startAfterVerification(context, request, result);
    }
  },
};

/** Signs in, unless the account has one-time codes, or the browser uses another account. */
async function startAfterVerification(
  context: VisitorContext,
  { accountId: ownId, from }: VisitorRequest,
  { accountId, canSignIn }: { readonly accountId: string; readonly canSignIn: boolean },
): Promise<VisitorResponse> {
  if (ownId !== null && ownId !== accountId) {
    return renderOtherAccount(context, context.messages.linkOfOtherAbout, 200);
  }
  if (!canSignIn) return redirectWithNotice('/console/sign-in', 'verified');
  const start = { livemode: false, isFirst: true };
  const token = await context.sessions.begin(accountId, from, start);
  return { kind: 'signed_in', token, to: '/console?done=verified' };
}

export const resetRoute: VisitorRoute = {
  path: '/console/reset',
  show: async (context, request) => renderResetPage(context, request, null, 200),
  post: async (context, request) => {
    const { messages, links } = context;
    if (links === null) return renderResetPage(context, request, null, 403);
    const result = await links.requestReset(readField(request.form, 'email'), request.from.client);
    if (result.kind === 'too_many') {
      const renderPage = (wait: number) =>
        renderResetPage(context, request, messages.tooMany(wait), 429);
      return toRateLimitedResponse(result.waitMs, renderPage);
    }
    return { kind: 'moved', to: '/console/reset/sent' };
  },
};

export const resetSentRoute: VisitorRoute = {
  path: '/console/reset/sent',
  show: async (context) => ({
    kind: 'page',
    title: context.messages.resetSent,
    body: html`<p class="explains">${context.messages.resetSentAbout}</p>\
${renderInboxNotice(context)}
<p class="more"><a class="button" href="/console/sign-in">${context.messages.signIn}</a></p>`,
  }),
};

export const newPasswordRoute: VisitorRoute = {
  path: '/console/reset/new',
  show: async (context, request) => {
    const isValid = await context.links?.isResetLink(tokenOf(request));
    if (!isValid) return renderExpiredReset(context);
    return renderNewPassword(context, request, undefined, 200);
  },
  post: async (context, request) => {
    const { site, links } = context;
    const password = readPassword(request.form, 'password');
    const outcome = await links?.resetPassword({
      token: tokenOf(request),
      purpose: 'reset',
      password,
      origin: request.from,
    });
    if (outcome === undefined || outcome.kind === 'no_link') return renderExpiredReset(context);
    if (outcome.kind === 'invalid') {
      const error = passwordProblemText(outcome.problems, site.language);
      return renderNewPassword(context, request, error, 422);
    }
    return redirectWithNotice('/console/sign-in', 'reset');
  },
};

const renderInvalidVerification = (context: VisitorContext) =>
  renderInvalidLink(context, { href: '/console/account', label: context.messages.signIn });

const renderExpiredReset = (context: VisitorContext) =>
  renderInvalidLink(context, { href: '/console/reset', label: context.messages.askAgain });

export function renderInvalidLink(
  { messages }: VisitorContext,
  { href, label }: { readonly href: string; readonly label: string },
): VisitorResponse {
  const body: Html = html`<p class="explains">${messages.linkInvalidAbout}</p>
<p class="more"><a class="button" href="${href}">${label}</a></p>`;
  return { kind: 'page', status: 410, title: messages.linkInvalid, body };
}

/** The browser is signed in with another account than that of the link. */
export function renderOtherAccount(
  { messages }: VisitorContext,
  about: string,
  status: number,
): VisitorResponse {
  const body: Html = html`<p class="explains">${about}</p>
<p class="more"><a class="button" href="/console">${messages.account}</a></p>`;
  return { kind: 'page', status, title: messages.linkOfOther, body };
}

function renderResetPage(
  context: VisitorContext,
  request: VisitorRequest,
  problem: string | null,
  status: number,
): VisitorResponse & { kind: 'page' } {
  const { messages, links } = context;
  if (links === null) {
    const body = html`<p class="explains">${messages.resetNoMailAbout}</p>
<p class="more"><a class="button" href="/console/sign-in">${messages.signIn}</a></p>`;
    return { kind: 'page', status, title: messages.resetNoMail, body };
  }
  const notice = problem ?? (request.notice && messages.tooOld);
  return {
    kind: 'page',
    status,
    title: messages.resetTitle,
    body: html`<p class="explains">${messages.resetAbout}</p>\
${notice && renderProblemNotice(notice)}
${renderPostForm(
  context,
  { action: '/console/reset' },
  html`${renderTextField({
    name: 'email',
    label: messages.email,
    value: readField(request.form, 'email'),
    type: 'email',
    isRequired: true,
    autocomplete: 'username',
  })}
<button>${messages.resetSend}</button>`,
)}`,
  };
}

function renderNewPassword(
  context: VisitorContext,
  request: VisitorRequest,
  error: string | undefined,
  status: number,
): VisitorResponse {
  const { messages } = context;
  return {
    kind: 'page',
    status,
    title: messages.resetNew,
    body: html`<p class="explains">${messages.resetNewAbout}</p>
${request.notice && renderProblemNotice(messages.tooOld)}
${renderPasswordForm(context, request, { action: '/console/reset/new', error })}`,
  };
}

function renderVerifyPage(context: VisitorContext, request: VisitorRequest): VisitorResponse {
  const { messages } = context;
  return {
    kind: 'page',
    title: messages.verify,
    body: html`${request.notice && renderProblemNotice(messages.tooOld)}
<p class="explains">${messages.verifyAbout}</p>
${renderPostForm(
  context,
  { action: VERIFY_PATH },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">\
<button>${messages.verify}</button>`,
)}`,
  };
}

function renderVerifyWithPassword(
  context: VisitorContext,
  request: VisitorRequest,
  error: string | undefined,
  status: number,
): VisitorResponse {
  const { messages } = context;
  const signIn = signInPathTo(VERIFY_PATH, request);
  return {
    kind: 'page',
    status,
    title: messages.verify,
    body: html`${request.notice && renderProblemNotice(messages.tooOld)}
<p class="explains">${messages.verifyPasswordAbout}</p>
${renderPasswordForm(context, request, { action: VERIFY_PATH, error })}
${
  request.accountId === null &&
  html`<ul class="beside"><li>${messages.verifyKeep} \
<a class="link" href="${signIn}">${messages.signIn}</a></li></ul>`
}`,
  };
}

const renderPasswordForm = (
  context: VisitorContext,
  request: VisitorRequest,
  { action, error }: { readonly action: string; readonly error: string | undefined },
): Html =>
  renderPostForm(
    context,
    { action },
    html`<input type="hidden" name="link" value="${tokenOf(request)}">
${renderTextField({
  name: 'password',
  label: context.messages.newPassword,
  value: '',
  help: context.messages.passwordHelp,
  error,
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
})}
<button>${context.messages.savePassword}</button>`,
  );
