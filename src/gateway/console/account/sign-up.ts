// Sign-up pages. Where mail is sent, the next page is the same whether or not the address has an
// account.

import { passwordProblemText } from '../../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { errorSummary, type FieldErrors, postForm, textField } from '../../../kernel/web/forms.ts';
import type { SignUpErrors } from '../../accounts/sign-up.ts';
import { readField, waitingResponse } from '../keys/form-input.ts';
import type { ConsoleWords } from '../messages/console.ts';
import { spendingMessages } from '../messages/spending.ts';
import type {
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from '../shell/console-context.ts';
import { inboxNotice, problemNotice } from '../shell/layout.ts';

export const signUpRoute: VisitorRoute = {
  path: '/console/sign-up',
  show: async (context, request) => {
    if (request.isSignedIn && request.notice === null) return { kind: 'moved', to: '/console' };
    const problem = request.notice === null ? null : context.words.tooOld;
    return page(context, request, { problem, errors: {}, status: 200 });
  },
  post: async (context, request) => {
    const { words } = context;
    const { form, from } = request;
    const created = await context.signUp.make({
      email: readField(form, 'email'),
      invite: readField(form, 'invite', 100),
      from,
      // Not trimmed: spaces may be part of the password.
      password: (form.get('password') ?? '').slice(0, 1_000),
      language: context.site.language,
      proof: { challenge: readField(form, 'challenge', 200), number: readField(form, 'proof', 20) },
    });
    const shown = (errors: FieldErrors, status: number) =>
      page(context, request, { problem: null, errors, status });
    switch (created.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: created.token, to: '/console' };
      case 'written':
        return { kind: 'moved', to: `/console/sign-up/sent${created.isLate ? '?late' : ''}` };
      case 'no_proof': {
        const problem = created.isMissing ? words.proofMissing : words.proofInvalid;
        return page(context, request, { problem, errors: {}, status: 422 });
      }
      case 'invalid':
        return shown(errorsOf(context, created.errors), 422);
      case 'taken':
        return shown({ email: words.signUpTaken }, 409);
      case 'closed':
        return { ...shown({}, 403) };
      case 'too_many':
        return waitingResponse(created.waitMs, (seconds) =>
          page(context, request, {
            problem: words.signUpMany(roughly(words, seconds)),
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
    title: context.words.lookIntoMail,
    body: html`<p class="explains">${context.words.lookIntoMailAbout}</p>
${query.has('late') && html`<p class="explains">${context.words.lateMail}</p>`}
${inboxNotice(context)}
<p class="explains">${context.words.mailMissing}</p>
<p class="more"><a class="button" href="/console/sign-in">${context.words.signIn}</a></p>`,
  }),
};

function roughly(words: ConsoleWords, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? words.minutes(minutes) : words.hours(Math.ceil(minutes / 60));
}

function errorsOf({ words, site }: VisitorContext, errors: SignUpErrors): FieldErrors {
  return {
    ...(errors.email && { email: words.emailMalformed }),
    ...(errors.password && { password: passwordProblemText(errors.password, site.language) }),
    ...(errors.invite && { invite: words.inviteUnknown }),
  };
}

/** The script of the page fills in the proof. Without it the mail is late. */
const proofFields = ({ words, links }: VisitorContext, challenge: string): Html =>
  html`<input type="hidden" name="challenge" value="${challenge}">\
<input type="hidden" name="proof" value="">
<p class="explains" role="status" hidden>${words.proofRuns}</p>
<noscript><p class="explains">${
    links === null ? words.proofMissing : words.proofSlow
  }</p></noscript>
`;

type SignUpView = {
  readonly problem: string | null;
  readonly errors: FieldErrors;
  readonly status: number;
};

function page(
  context: VisitorContext,
  request: VisitorRequest,
  { problem, errors, status }: SignUpView,
): VisitorResponse & { kind: 'page' } {
  const { words, signUp } = context;
  const { who } = signUp.rules;
  const challenge = who === 'closed' ? null : signUp.challenge();
  const beside = html`<ul class="beside"><li>${words.haveAccount} \
<a class="link" href="/console/sign-in">${words.signIn}</a></li>
<li><a class="link" href="/console/prices">\
${spendingMessages(context.site.language).prices}</a></li>
</ul>`;
  if (who === 'closed') {
    const closedText = html`<p class="explains">${words.signUpClosed}</p>
<p class="explains">${words.signUpClosedAbout}</p>`;
    return { kind: 'page', status, title: words.signUp, body: html`${closedText}${beside}` };
  }
  const invite =
    readField(request.form, 'invite', 100) || (request.query.get('invite') ?? '').slice(0, 100);
  return {
    kind: 'page',
    status,
    title: words.signUp,
    body: html`<p class="explains">${words.signUpAbout}</p>
${problem !== null && problemNotice(problem)}${errorSummary(context, errors)}
${postForm(
  context,
  { action: '/console/sign-up' },
  html`${
    who === 'invite' &&
    textField({
      name: 'invite',
      label: words.invite,
      value: invite,
      help: words.inviteHelp,
      error: errors.invite,
      isRequired: true,
      autocomplete: 'off',
    })
  }${textField({
    name: 'email',
    label: words.email,
    value: readField(request.form, 'email'),
    type: 'email',
    error: errors.email,
    isRequired: true,
    autocomplete: 'username',
  })}${textField({
    name: 'password',
    label: words.password,
    value: '',
    help: words.passwordHelp,
    type: 'password',
    error: errors.password,
    isRequired: true,
    autocomplete: 'new-password',
  })}
${challenge !== null && proofFields(context, challenge)}<button>${words.signUp}</button>`,
)}${beside}`,
  };
}
