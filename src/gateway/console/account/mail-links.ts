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

/** Reads the token of a mailed link from the form, or from the page address. */
export const tokenOf = ({ form, query }: VisitorRequest) =>
  (form.get('link') ?? query.get('token') ?? '').slice(0, 100);

export const verifyRoute: VisitorRoute = {
  path: '/console/verify',
  show: async (context, request) => {
    const { messages } = context;
    return {
      kind: 'page',
      title: messages.verify,
      body: html`${request.notice && renderProblemNotice(messages.tooOld)}
<p class="explains">${messages.verifyAbout}</p>
${renderPostForm(
  context,
  { action: '/console/verify' },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">\
<button>${messages.verify}</button>`,
)}${
  request.accountId === null &&
  html`
<p class="explains">${messages.verifyNotMine}</p>
<p class="more"><a class="button" href="/console/reset">${messages.resetTitle}</a></p>`
}`,
    };
  },
  post: async (context, request) => {
    const result = await context.links?.verify(tokenOf(request));
    if (result?.kind !== 'verified')
      return renderInvalidLink(context, {
        href: '/console/account',
        label: context.messages.signIn,
      });
    if (request.accountId !== null) {
      return request.accountId === result.accountId
        ? redirectWithNotice('/console', 'verified')
        : renderOtherAccount(context);
    }
    if (result.canSignIn) {
      const token = await context.sessions.begin(result.accountId, request.from, {
        livemode: false,
        isFirst: true,
      });
      return { kind: 'signed_in', token, to: '/console?done=verified' };
    }
    return redirectWithNotice('/console/sign-in', 'verified');
  },
};

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
export function renderOtherAccount({ messages }: VisitorContext): VisitorResponse {
  const body: Html = html`<p class="explains">${messages.linkOfOtherAbout}</p>
<p class="more"><a class="button" href="/console">${messages.account}</a></p>`;
  return { kind: 'page', title: messages.linkOfOther, body };
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
${renderPostForm(
  context,
  { action: '/console/reset/new' },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">
${renderTextField({
  name: 'password',
  label: messages.newPassword,
  value: '',
  help: messages.passwordHelp,
  error,
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
})}
<button>${messages.savePassword}</button>`,
)}`,
  };
}
