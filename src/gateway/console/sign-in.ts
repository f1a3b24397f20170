// The way in with e-mail address and password. Whether an address has an account is never told.
import { deskPath } from '../../kernel/desk/desk-path.ts';
import { postForm, textField } from '../../kernel/desk/forms.ts';
import { html } from '../../kernel/html/html.ts';
import type {
  OutsideAnswer,
  OutsideAsked,
  OutsideContext,
  OutsideRoute,
} from './console-context.ts';
import { problemNotice } from './frame.ts';

export const signInRoute: OutsideRoute = {
  path: '/console/sign-in',
  show: async (context, asked) => {
    const to = deskPath('/console', asked.query.get('to'));
    if (asked.isSignedIn && asked.notice === null) return { kind: 'moved', to };
    const problem = asked.notice && context.words.signInProblems[asked.notice];
    return page(context, asked, { to, problem, status: 200 });
  },
  post: async (context, asked) => {
    const { form, from } = asked;
    const to = deskPath('/console', form.get('to'));
    const email = (form.get('email') ?? '').slice(0, 320);
    const password = (form.get('password') ?? '').slice(0, 1_000);
    const signed = await context.signIn.withPassword({ email, password, from });
    const { signInProblems, tooMany } = context.words;
    switch (signed.kind) {
      case 'signed_in':
        return { kind: 'signed_in', token: signed.token, to };
      case 'too_many': {
        const wait = Math.max(1, Math.ceil(signed.waitMs / 1000));
        const headers = { 'retry-after': String(wait) };
        return page(context, asked, { to, problem: tooMany(wait), status: 429, headers });
      }
      case 'refused':
        context.world.log.warn({ client: from.client }, 'a refused sign-in at the console');
        return page(context, asked, { to, problem: signInProblems.wrong, status: 401 });
      case 'suspended':
        return page(context, asked, { to, problem: signInProblems.suspended, status: 403 });
    }
  },
};

type Shown = {
  readonly to: string;
  readonly problem: string | null;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
};

function page(context: OutsideContext, asked: OutsideAsked, shown: Shown): OutsideAnswer {
  const { words } = context;
  const email = (asked.form.get('email') ?? '').slice(0, 320);
  return {
    kind: 'page',
    status: shown.status,
    ...(shown.headers && { headers: shown.headers }),
    title: words.signIn,
    body: html`${shown.problem !== null && problemNotice(shown.problem)}
${postForm(
  context,
  { action: '/console/sign-in' },
  html`<input type="hidden" name="to" value="${shown.to}">
${textField({
  ...{ name: 'email', label: words.email, value: email },
  ...{ type: 'email', isRequired: true, autocomplete: 'username' },
})}${textField({
  ...{ name: 'password', label: words.password, value: '' },
  ...{ type: 'password', isRequired: true, autocomplete: 'current-password' },
})}
<button>${words.signIn}</button>`,
)}`,
  };
}
