// Sign-up pages. With mail delivery, the next page does not show whether the address has an
// account.

import { passwordProblemText } from '../../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import {
  type FieldErrors,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import type { SignUpErrors } from '../../accounts/sign-up.ts';
import { readField, readPassword, toRateLimitedResponse } from '../keys/form-input.ts';
import type { ConsoleMessages } from '../messages/console.ts';
import { spendingMessages } from '../messages/spending.ts';
import type {
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from '../shell/console-context.ts';
import { renderInboxNotice, renderProblemNotice } from '../shell/layout.ts';

export const signUpRoute: VisitorRoute = {
  path: '/console/sign-up',
  show: async (context, request) => {
    if (request.accountId !== null && request.notice === null)
      return { kind: 'moved', to: '/console' };
    const problem = request.notice === null ? null : context.messages.tooOld;
    return renderPage(context, request, { problem, errors: {}, status: 200 });
  },
  post: async (context, request) => {
    const { messages } = context;
    const { form, from } = request;
    const signUpResult = await context.signUp.make({
      email: readField(form, 'email'),
      invite: readField(form, 'invite', 100),
      from,
      password: readPassword(form, 'password'),
      language: context.site.language,
      proof: { challenge: readField(form, 'challenge', 200), number: readField(form, 'proof', 20) },
    });
    const renderForm = (errors: FieldErrors, status: number) =>
      renderPage(context, request, { problem: null, errors, status });
    switch (signUpResult.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signUpResult.token, to: '/console' };
      case 'mail_queued':
        return {
          kind: 'signed_up',
          browserToken: signUpResult.browserToken,
          to: `/console/sign-up/sent${signUpResult.isLate ? '?late' : ''}`,
        };
      case 'no_proof': {
        const problem = signUpResult.isMissing ? messages.proofMissing : messages.proofInvalid;
        return renderPage(context, request, { problem, errors: {}, status: 422 });
      }
      case 'invalid':
        return renderForm(toErrors(context, signUpResult.errors), 422);
      case 'address_taken':
        return renderForm({ email: messages.signUpTaken }, 409);
      case 'closed':
        return renderForm({}, 403);
      case 'too_many':
        return toRateLimitedResponse(signUpResult.waitMs, (seconds) =>
          renderPage(context, request, {
            problem: messages.signUpMany(formatWait(messages, seconds)),
            errors: {},
            status: 429,
          }),
        );
    }
  },
};

export const signUpSentRoute: VisitorRoute = {
  path: '/console/sign-up/sent',
  show: async (context, { query }) => ({
    kind: 'page',
    title: context.messages.checkMail,
    body: html`<p class="explains">${context.messages.checkMailAbout}</p>
${query.has('late') && html`<p class="explains">${context.messages.lateMail}</p>`}
${renderInboxNotice(context)}
<p class="explains">${context.messages.mailMissing}</p>
<p class="more"><a class="button" href="/console/sign-in">${context.messages.signIn}</a></p>`,
  }),
};

/** Formats a wait in minutes, and from 90 minutes on in hours, rounded up. */
function formatWait(messages: ConsoleMessages, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? messages.minutes(minutes) : messages.hours(Math.ceil(minutes / 60));
}

function toErrors({ messages, site }: VisitorContext, errors: SignUpErrors): FieldErrors {
  return {
    ...(errors.email && { email: messages.emailMalformed }),
    ...(errors.password && { password: passwordProblemText(errors.password, site.language) }),
    ...(errors.invite && { invite: messages.inviteUnknown }),
  };
}

/** The script of the page fills in the proof. Without a proof, the mail is delayed. */
const renderProofFields = ({ messages, links }: VisitorContext, challenge: string): Html =>
  html`<input type="hidden" name="challenge" value="${challenge}">\
<input type="hidden" name="proof" value="">
<p class="explains" role="status" hidden>${messages.proofRuns}</p>
<noscript><p class="explains">${
    links === null ? messages.proofMissing : messages.proofSlow
  }</p></noscript>
`;

type SignUpView = {
  readonly problem: string | null;
  readonly errors: FieldErrors;
  readonly status: number;
};

function renderPage(
  context: VisitorContext,
  request: VisitorRequest,
  { problem, errors, status }: SignUpView,
): VisitorResponse & { kind: 'page' } {
  const { messages, signUp } = context;
  const { access } = signUp.rules;
  const challenge = access === 'closed' ? null : signUp.challenge();
  const otherLinks = html`<ul class="beside"><li>${messages.haveAccount} \
<a class="link" href="/console/sign-in">${messages.signIn}</a></li>
<li><a class="link" href="/console/prices">\
${spendingMessages(context.site.language).prices}</a></li>
</ul>`;
  if (access === 'closed') {
    const closedText = html`<p class="explains">${messages.signUpClosed}</p>
<p class="explains">${messages.signUpClosedAbout}</p>`;
    return { kind: 'page', status, title: messages.signUp, body: html`${closedText}${otherLinks}` };
  }
  const invite =
    readField(request.form, 'invite', 100) || (request.query.get('invite') ?? '').slice(0, 100);
  return {
    kind: 'page',
    status,
    title: messages.signUp,
    body: html`<p class="explains">${messages.signUpAbout}</p>
${problem !== null && renderProblemNotice(problem)}${renderErrorSummary(context, errors)}
${renderPostForm(
  context,
  { action: '/console/sign-up' },
  html`${
    access === 'invite' &&
    renderTextField({
      name: 'invite',
      label: messages.invite,
      value: invite,
      help: messages.inviteHelp,
      error: errors.invite,
      isRequired: true,
      autocomplete: 'off',
    })
  }${renderTextField({
    name: 'email',
    label: messages.email,
    value: readField(request.form, 'email'),
    type: 'email',
    error: errors.email,
    isRequired: true,
    autocomplete: 'username',
  })}${renderTextField({
    name: 'password',
    label: messages.password,
    value: '',
    help: messages.passwordHelp,
    type: 'password',
    error: errors.password,
    isRequired: true,
    autocomplete: 'new-password',
  })}
${challenge !== null && renderProofFields(context, challenge)}<button>${messages.signUp}</button>`,
)}${otherLinks}`,
  };
}
