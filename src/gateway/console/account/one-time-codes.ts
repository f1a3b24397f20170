// Sets up one-time codes and switches them off. Recovery codes are shown once, in the response to
// the form.

import { html } from '../../../kernel/html/html.ts';
import { renderFactorSetup } from '../../../kernel/web/factor-set-up.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import type { FieldErrors } from '../../../kernel/web/forms.ts';
import { changeFactor } from '../../accounts/change-factor.ts';
import { readField, readPassword } from '../keys/form-input.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { showAccount } from './account.ts';

const PATH = '/console/account/one-time-codes';

export async function showCodeSetup(context: ConsoleContext): Promise<ConsoleResponse> {
  return renderSetupPage(context, null, {}, 200);
}

function renderSetupPage(
  context: ConsoleContext,
  sealed: string | null,
  errors: FieldErrors,
  status: number,
): ConsoleResponse {
  const { messages, account, site, session, secondFactor } = context;
  if (session.hasTotp) return renderAlreadyOn(context);
  const previousSetup =
    sealed && secondFactor.readSetup(account.id, account.email, site.name, sealed);
  const setup = previousSetup || secondFactor.createSetup(account.id, account.email, site.name);
  return {
    kind: 'page',
    status,
    title: messages.totpSetUp,
    body: html`${renderPageHead(messages.totpSetUp, messages.totpSetUpAbout)}
${renderFactorSetup(context, {
  setup,
  action: PATH,
  passwordField: 'password',
  errors,
  messages: {
    image: messages.totpImage,
    secretHelp: messages.totpByHand,
    code: messages.code,
    currentPassword: messages.currentPassword,
    switchOn: messages.totpSwitchOn,
  },
})}`,
  };
}

function renderAlreadyOn({ messages }: ConsoleContext): ConsoleResponse {
  const body = html`${renderPageHead(messages.totp, null)}\
${renderProblemNotice(messages.totpOnAlready)}
<p class="more"><a class="button" href="/console/account">${messages.account}</a></p>`;
  return { kind: 'page', status: 409, title: messages.totp, body };
}

export async function switchCodesOn(
  context: ConsoleContext,
  { form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, messages, session, securityLog, passwords } = context;
  const sealed = readField(form, 'sealed', 200);
  const password = readPassword(form, 'password');
  const passwordCheck = await passwords.check(session, password);
  if (passwordCheck.kind === 'wrong') {
    return renderSetupPage(context, sealed, { password: messages.passwordWrong }, 422);
  }
  if (passwordCheck.kind === 'too_many') {
    const wait = Math.ceil(passwordCheck.waitMs / 1000);
    return renderSetupPage(context, sealed, { password: messages.tooMany(wait) }, 429);
  }
  const code = readField(form, 'code', 20);
  const outcome = await changeFactor(world, securityLog, session, {
    kind: 'factor_on',
    origin: from,
    work: async (factor) => {
      const result = await factor.switchOn(session.accountId, sealed, code);
      return { outcome: result, isChanged: result.kind === 'on' };
    },
  });
  switch (outcome.kind) {
    case 'on':
      return renderRecoveryCodes(context, outcome.recoveryCodes);
    case 'wrong_code':
      return renderSetupPage(context, sealed, { code: messages.codeWrong }, 422);
    case 'secret_of_other_owner':
      return renderSetupPage(context, null, { code: messages.tooOld }, 422);
    case 'on_already':
      return renderAlreadyOn(context);
  }
}

function renderRecoveryCodes(
  { messages }: ConsoleContext,
  codes: readonly string[],
): ConsoleResponse {
  return {
    kind: 'page',
    title: messages.recoveryTitle,
    body: html`${renderPageHead(messages.recoveryTitle, messages.recoveryAbout)}
<div class="example" data-secret data-copy="${messages.copy}" data-copied="${messages.copied}">\
<pre><code>${codes.join('\n')}</code></pre></div>
<p class="more"><a class="button" href="/console/account">${messages.recoveryKept}</a></p>`,
  };
}

export async function switchCodesOff(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const refusal = await refuseWrongPassword(context, request, 'off');
  if (refusal !== null) return refusal;
  const { world, securityLog, session } = context;
  await changeFactor(world, securityLog, session, {
    kind: 'factor_off',
    origin: request.from,
    work: async (factor) => {
      await factor.switchOff(session.accountId);
      return { outcome: null, isChanged: session.hasTotp };
    },
  });
  return redirectWithNotice('/console/account', 'totpOff');
}

export async function renewRecoveryCodes(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const refusal = await refuseWrongPassword(context, request, 'recovery');
  if (refusal !== null) return refusal;
  if (!context.session.hasTotp) return { kind: 'moved', to: '/console/account' };
  const { world, securityLog, session } = context;
  const codes = await changeFactor(world, securityLog, session, {
    kind: 'recovery_codes_renewed',
    origin: request.from,
    work: async (factor) => {
      const newCodes = await factor.renewRecoveryCodes(session.accountId);
      return { outcome: newCodes, isChanged: true };
    },
  });
  return renderRecoveryCodes(context, codes);
}

/** Returns an error page for a wrong password or too many attempts; null: a correct password. */
async function refuseWrongPassword(
  context: ConsoleContext,
  request: ConsoleRequest,
  name: string,
): Promise<ConsoleResponse | null> {
  const { messages, session, passwords } = context;
  const password = readPassword(request.form, name);
  const passwordCheck = await passwords.check(session, password);
  switch (passwordCheck.kind) {
    case 'right':
      return null;
    case 'wrong':
      return showAccount(context, request, { [name]: messages.passwordWrong }, 422);
    case 'too_many': {
      const wait = Math.ceil(passwordCheck.waitMs / 1000);
      return showAccount(context, request, { [name]: messages.tooMany(wait) }, 429);
    }
  }
}
