// What links in mails lead to. Opening one does nothing yet, since mail programs open them by
// themselves: a press on the page does.

import { type Html, html } from '../../../kernel/html/html.ts';
import { postForm, textField } from '../../../kernel/web/forms.ts';
import { passwordText, typed, waitingAnswer } from '../keys/form-input.ts';
import type {
  OutsideAnswer,
  OutsideAsked,
  OutsideContext,
  OutsideRoute,
} from '../shell/console-context.ts';
import { inboxNotice, problemNotice } from '../shell/layout.ts';
import { movedDone } from '../shell/notice.ts';

export const tokenOf = ({ form, query }: OutsideAsked) =>
  (form.get('link') ?? query.get('token') ?? '').slice(0, 100);

export const verifyRoute: OutsideRoute = {
  path: '/console/verify',
  show: async (context, asked) => {
    const { words } = context;
    return {
      kind: 'page',
      title: words.verify,
      body: html`${asked.notice && problemNotice(words.tooOld)}
<p class="explains">${words.verifyAbout}</p>
${postForm(
  context,
  { action: '/console/verify' },
  html`<input type="hidden" name="link" value="${tokenOf(asked)}"><button>${words.verify}</button>`,
)}`,
    };
  },
  post: async (context, asked) => {
    const isDone = await context.links?.verify(tokenOf(asked));
    if (!isDone)
      return deadLink(context, { href: '/console/account', label: context.words.signIn });
    return movedDone(asked.isSignedIn ? '/console' : '/console/sign-in', 'verified');
  },
};

export const resetRoute: OutsideRoute = {
  path: '/console/reset',
  show: async (context, asked) => resetPage(context, asked, null, 200),
  post: async (context, asked) => {
    const { words, links } = context;
    if (links === null) return resetPage(context, asked, null, 403);
    const heard = await links.askReset(typed(asked.form, 'email'), asked.from.client);
    if (heard.kind === 'too_many') {
      const page = (wait: number) => resetPage(context, asked, words.tooMany(wait), 429);
      return waitingAnswer(heard.waitMs, page);
    }
    return { kind: 'moved', to: '/console/reset/sent' };
  },
};

export const resetSentRoute: OutsideRoute = {
  path: '/console/reset/sent',
  show: async (context) => ({
    kind: 'page',
    title: context.words.resetSent,
    body: html`<p class="explains">${context.words.resetSentAbout}</p>${inboxNotice(context)}
<p class="more"><a class="button" href="/console/sign-in">${context.words.signIn}</a></p>`,
  }),
};

export const newPasswordRoute: OutsideRoute = {
  path: '/console/reset/new',
  show: async (context, asked) => {
    const isThere = await context.links?.isResetLink(tokenOf(asked));
    if (!isThere) return deadReset(context);
    return newPasswordPage(context, asked, undefined, 200);
  },
  post: async (context, asked) => {
    const { words, links } = context;
    const password = (asked.form.get('password') ?? '').slice(0, 1_000);
    const outcome = await links?.resetPassword(tokenOf(asked), password);
    if (outcome === undefined || outcome.kind === 'no_link') return deadReset(context);
    if (outcome.kind === 'invalid') {
      return newPasswordPage(context, asked, passwordText(words, outcome.problem), 422);
    }
    return movedDone('/console/sign-in', 'reset');
  },
};

const deadReset = (context: OutsideContext) =>
  deadLink(context, { href: '/console/reset', label: context.words.askAgain });

export function deadLink(
  { words }: OutsideContext,
  { href, label }: { readonly href: string; readonly label: string },
): OutsideAnswer {
  const body: Html = html`<p class="explains">${words.linkDeadAbout}</p>
<p class="more"><a class="button" href="${href}">${label}</a></p>`;
  return { kind: 'page', status: 410, title: words.linkDead, body };
}

function resetPage(
  context: OutsideContext,
  asked: OutsideAsked,
  problem: string | null,
  status: number,
): OutsideAnswer & { kind: 'page' } {
  const { words, links } = context;
  if (links === null) {
    const body = html`<p class="explains">${words.resetNoMailAbout}</p>
<p class="more"><a class="button" href="/console/sign-in">${words.signIn}</a></p>`;
    return { kind: 'page', status, title: words.resetNoMail, body };
  }
  const said = problem ?? (asked.notice && words.tooOld);
  return {
    kind: 'page',
    status,
    title: words.resetTitle,
    body: html`<p class="explains">${words.resetAbout}</p>${said && problemNotice(said)}
${postForm(
  context,
  { action: '/console/reset' },
  html`${textField({
    name: 'email',
    label: words.email,
    value: typed(asked.form, 'email'),
    type: 'email',
    isRequired: true,
    autocomplete: 'username',
  })}
<button>${words.resetSend}</button>`,
)}`,
  };
}

function newPasswordPage(
  context: OutsideContext,
  asked: OutsideAsked,
  error: string | undefined,
  status: number,
): OutsideAnswer {
  const { words } = context;
  return {
    kind: 'page',
    status,
    title: words.resetNew,
    body: html`<p class="explains">${words.resetNewAbout}</p>
${asked.notice && problemNotice(words.tooOld)}
${postForm(
  context,
  { action: '/console/reset/new' },
  html`<input type="hidden" name="link" value="${tokenOf(asked)}">
${textField({
  name: 'password',
  label: words.newPassword,
  value: '',
  help: words.passwordHelp,
  error,
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
})}
<button>${words.savePassword}</button>`,
)}`,
  };
}
