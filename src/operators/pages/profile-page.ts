// `/admin/profile`: an operator's own password, one-time codes and sessions.
import { passwordProblemText } from '../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { renderFactorSetup } from '../../kernel/web/factor-set-up.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import { renderDateTime } from '../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../kernel/web/forms.ts';
import { renderListTable, singleLineCell } from '../../kernel/web/list-table.ts';
import { setOperatorPassword } from '../operators.ts';
import { changeOwnFactor } from '../own-factor.ts';
import { operatorPageMessages } from './messages.ts';
import type {
  OperatorPageContext,
  OperatorPageRequest,
  OperatorPageResponse,
} from './operator-page-context.ts';
import { doneText } from './operators-page.ts';

export const PROFILE_PATH = '/admin/profile';

export const profilePage = (
  context: OperatorPageContext,
  { query }: OperatorPageRequest,
): Promise<OperatorPageResponse> => render(context, {}, query.get('done'));

async function render(
  context: OperatorPageContext,
  errors: FieldErrors,
  done: string | null = null,
): Promise<OperatorPageResponse> {
  const { site, world, session, sessions } = context;
  const messages = operatorPageMessages(site.language);
  const notice = doneText(messages, done);
  const about = messages.profileAbout(session.name, messages.roles[session.role]);
  const openSessions = await sessions.list(session);
  const remainingCodes = session.hasTotp
    ? await sessions.factor.countRecoveryCodes(session.operatorId)
    : 0;
  const sessionTable = renderListTable(
    [{ label: messages.session }, { label: messages.from }, { label: '' }],
    openSessions.map(({ id, client, signedInAt }) => [
      singleLineCell(renderDateTime({ site, world }, signedInAt)),
      client || '–',
      id === session.id ? messages.thisSession : '',
    ]),
  );
  return {
    kind: 'page',
    status: Object.keys(errors).length > 0 ? 422 : 200,
    title: messages.profile,
    section: 'operators',
    main: html`${renderPageHead(messages.profile, about)}
${notice && html`<div class="notice positive" role="status"><p>${notice}</p></div>`}\
${renderErrorSummary(context, errors)}
<section class="part"><h2 class="side">${messages.factor}</h2>
<p class="explains">${session.hasTotp ? messages.codesOn(remainingCodes) : messages.codesOff}</p>
${
  session.hasTotp
    ? html`${renderPostForm(
        context,
        { action: `${PROFILE_PATH}/codes/renew` },
        html`${passwordField(context, 'renew', errors.renew)}\
${renderButton(messages.renewRecovery, 'quiet')}`,
      )}${renderPostForm(
        context,
        { action: `${PROFILE_PATH}/codes/off` },
        html`${passwordField(context, 'off', errors.off)}\
${renderButton(messages.switchOff, 'danger')}`,
      )}`
    : html`<p><a class="button" href="${PROFILE_PATH}/codes">${messages.setUpCodes}</a></p>`
}</section>
<section class="part"><h2 class="side">${messages.changePassword}</h2>
${renderPostForm(
  context,
  { action: `${PROFILE_PATH}/password` },
  html`${passwordField(context, 'current', errors.current)}${renderTextField({
    name: 'password',
    label: messages.newPassword,
    value: '',
    help: messages.newPasswordHelp,
    error: errors.password,
    type: 'password',
    isRequired: true,
    autocomplete: 'new-password',
  })}${renderButton(messages.changePassword)}`,
)}</section>
<section class="part"><h2 class="side">${messages.sessions}</h2>
${sessionTable}
${
  openSessions.length > 1 &&
  renderPostForm(
    context,
    { action: `${PROFILE_PATH}/sessions/end` },
    renderButton(messages.endOthers, 'quiet'),
  )
}</section>`,
  };
}

function passwordField(context: OperatorPageContext, name: string, error?: string): Html {
  const messages = operatorPageMessages(context.site.language);
  return renderTextField({
    name,
    label: messages.currentPassword,
    value: '',
    error,
    type: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  });
}

const readPassword = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '').slice(0, 1_000);

export async function savePassword(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session, sessions } = context;
  const messages = operatorPageMessages(site.language);
  if (!(await sessions.isPassword(session, readPassword(form, 'current')))) {
    return render(context, { current: messages.passwordWrong });
  }
  const [id, password] = [session.operatorId, readPassword(form, 'password')];
  const result = await setOperatorPassword(world, db, {
    id,
    password,
    session: session.id,
    by: session,
  });
  if (result.kind === 'invalid') {
    const text = passwordProblemText(result.problems, site.language);
    return render(context, { password: text });
  }
  return { kind: 'moved', to: `${PROFILE_PATH}?done=password` };
}

export const codesPage = (context: OperatorPageContext): Promise<OperatorPageResponse> =>
  renderCodes(context, null, {});

async function renderCodes(
  context: OperatorPageContext,
  sealed: string | null,
  errors: FieldErrors,
): Promise<OperatorPageResponse> {
  const { site, session, sessions } = context;
  if (session.hasTotp) return { kind: 'moved', to: PROFILE_PATH };
  const messages = operatorPageMessages(site.language);
  const { factor } = sessions;
  const { operatorId, name } = session;
  const previousSetup =
    sealed === null ? null : factor.readSetup(operatorId, name, site.name, sealed);
  const setup = previousSetup ?? factor.createSetup(operatorId, name, site.name);
  return {
    kind: 'page',
    status: Object.keys(errors).length > 0 ? 422 : 200,
    title: messages.setUpCodes,
    section: 'operators',
    main: html`${renderPageHead(messages.setUpCodes, messages.setUpCodesAbout)}
${
  sessions.needsFactor(session) &&
  html`<div class="notice"><p>${messages.factorRequired}</p>\
</div>`
}\
${renderErrorSummary(context, errors)}
${renderFactorSetup(context, {
  setup,
  action: `${PROFILE_PATH}/codes`,
  passwordField: 'current',
  errors,
  messages,
})}`,
  };
}

export async function switchCodesOn(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session, sessions } = context;
  const messages = operatorPageMessages(site.language);
  const sealed = (form.get('sealed') ?? '').slice(0, 200);
  if (!(await sessions.isPassword(session, readPassword(form, 'current')))) {
    return renderCodes(context, sealed, { current: messages.passwordWrong });
  }
  const code = (form.get('code') ?? '').slice(0, 20);
  const outcome = await changeOwnFactor(world, db, session, {
    action: 'factor_on',
    work: async (factor) => {
      const result = await factor.switchOn(session.operatorId, sealed, code);
      return { outcome: result, isChanged: result.kind === 'on' };
    },
  });
  switch (outcome.kind) {
    case 'on':
      return recoveryPage(context, outcome.recoveryCodes);
    case 'wrong_code':
      return renderCodes(context, sealed, { code: messages.codeWrong });
    case 'secret_of_other_owner':
      return renderCodes(context, null, { code: messages.codesStale });
    case 'on_already':
      return { kind: 'moved', to: PROFILE_PATH };
  }
}

function recoveryPage(
  { site }: OperatorPageContext,
  codes: readonly string[],
): OperatorPageResponse {
  const messages = operatorPageMessages(site.language);
  return {
    kind: 'page',
    title: messages.recovery,
    section: 'operators',
    main: html`${renderPageHead(messages.recovery, messages.recoveryAbout)}
<div class="example" data-secret><pre><code>${codes.join('\n')}</code></pre></div>
<p class="more"><a class="button" href="/admin">${messages.goOn}</a></p>`,
  };
}

export async function switchCodesOff(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session, sessions } = context;
  const messages = operatorPageMessages(site.language);
  if (!(await sessions.isPassword(session, readPassword(form, 'off')))) {
    return render(context, { off: messages.passwordWrong });
  }
  await changeOwnFactor(world, db, session, {
    action: 'factor_off',
    work: async (factor) => {
      await factor.switchOff(session.operatorId);
      return { outcome: null, isChanged: true };
    },
  });
  return { kind: 'moved', to: `${PROFILE_PATH}?done=codes_off` };
}

export async function renewCodes(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session, sessions } = context;
  const messages = operatorPageMessages(site.language);
  if (!(await sessions.isPassword(session, readPassword(form, 'renew')))) {
    return render(context, { renew: messages.passwordWrong });
  }
  if (!session.hasTotp) return { kind: 'moved', to: PROFILE_PATH };
  const codes = await changeOwnFactor(world, db, session, {
    action: 'recovery_codes',
    work: async (factor) => {
      const newCodes = await factor.renewRecoveryCodes(session.operatorId);
      return { outcome: newCodes, isChanged: true };
    },
  });
  return recoveryPage(context, codes);
}

export async function endOtherSessions(
  context: OperatorPageContext,
): Promise<OperatorPageResponse> {
  await context.sessions.endOthers(context.session);
  return { kind: 'moved', to: `${PROFILE_PATH}?done=others` };
}
