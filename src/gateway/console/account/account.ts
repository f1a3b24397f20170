// The account page: e-mail address, password, one-time codes and active sessions.

import { passwordProblemText } from '../../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { browserName } from '../../accounts/browser-name.ts';
import { readPassword } from '../keys/form-input.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { formatUnconfirmedAddress } from '../shell/layout.ts';
import { redirectWithNotice, renderDoneNotice } from '../shell/notice.ts';
import { renderAddressChange } from './account-address.ts';
import { renderAccountData } from './account-data.ts';
import { renderDeletionLink } from './delete-account.ts';
import { renderRequestLogSetting } from './request-log-setting.ts';
import { renderSecurityLogLink } from './security-log.ts';

const PATH = '/console/account';

export const accountPage = (context: ConsoleContext, request: ConsoleRequest) =>
  showAccount(context, request, {}, 200);

export async function showAccount(
  context: ConsoleContext,
  request: ConsoleRequest,
  errors: FieldErrors,
  status: number,
): Promise<ConsoleResponse & { kind: 'page' }> {
  const { messages } = context;
  return {
    kind: 'page',
    status,
    title: messages.account,
    body: html`${renderPageHead(messages.account, messages.accountAbout)}
${renderDoneNotice(context, request)}${renderErrorSummary(context, errors)}
<section class="part"><h2>${messages.address}</h2>
${renderAddress(context)}${await renderAddressChange(context, request, errors)}</section>
<div class="pair">
<section class="part"><h2>${messages.password}</h2>${renderPasswordForm(context, errors)}</section>
<section class="part"><h2>${messages.totp}</h2>\
${await renderOneTimeCodes(context, errors)}</section>
</div>
${await renderRequestLogSetting(context, request)}
<section class="part"><h2>${messages.sessions}</h2>${await renderSessions(context)}</section>
${renderSecurityLogLink(context)}
${renderAccountData(context)}
${renderDeletionLink(context)}`,
  };
}

function renderAddress(context: ConsoleContext): Html {
  const { messages, account, links } = context;
  if (!account.awaitsVerification) return html`<p>${account.email}</p>`;
  return html`<p>${account.email} <span class="warning">${messages.notConfirmed}</span></p>
<p class="explains">${formatUnconfirmedAddress(context)}</p>
${
  links !== null &&
  renderPostForm(
    context,
    { action: `${PATH}/verification` },
    renderButton(messages.sendAgain, 'quiet'),
  )
}`;
}

function renderPasswordForm(context: ConsoleContext, errors: FieldErrors): Html {
  const { messages, account } = context;
  return html`<p class="explains">${messages.changePasswordAbout}</p>
${renderPostForm(
  context,
  { action: `${PATH}/password` },
  html`<input class="unseen" type="text" name="username" autocomplete="username" \
value="${account.email}" readonly tabindex="-1" aria-hidden="true">
${renderTextField({
  name: 'current',
  label: messages.currentPassword,
  value: '',
  error: errors.current,
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}${renderTextField({
  name: 'next',
  label: messages.newPassword,
  value: '',
  error: errors.next,
  help: messages.passwordHelp,
  isRequired: true,
  type: 'password',
  autocomplete: 'new-password',
})}
${renderButton(messages.changePassword)}`,
)}`;
}

async function renderOneTimeCodes(context: ConsoleContext, errors: FieldErrors): Promise<Html> {
  const { messages, session, secondFactor, account } = context;
  if (!session.hasTotp) {
    return html`<p class="explains">${messages.totpOffState}</p>
<p><a class="button quiet" href="${PATH}/one-time-codes">${messages.totpSetUp}</a></p>`;
  }
  const remainingCodes = await secondFactor.countRecoveryCodes(account.id);
  return html`<p class="explains">${messages.totpOnState(remainingCodes)}</p>
${renderActionForm('recovery', messages.recoveryNew, messages.recoveryNewAbout, 'quiet')}
${renderActionForm('off', messages.totpSwitchOff, messages.totpSwitchOffAbout, 'danger')}`;

  function renderActionForm(name: string, label: string, about: string, kind: 'quiet' | 'danger') {
    const error = errors[name];
    return html`<details${error !== undefined && html` open`}><summary>${label}</summary>
<p class="explains">${about}</p>
${renderPostForm(
  context,
  { action: `${PATH}/one-time-codes/${name}` },
  html`${renderTextField({
    name,
    label: messages.currentPassword,
    value: '',
    error,
    type: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  })}${renderButton(label, kind)}`,
)}</details>`;
  }
}

async function renderSessions(context: ConsoleContext): Promise<Html> {
  const { messages, session, site, world } = context;
  const sessions = await context.sessions.list(session.accountId);
  const table = renderListTable(
    [
      { label: messages.browser },
      { label: messages.network },
      { label: messages.since },
      { label: messages.seen },
      { label: '', isNumber: true, isSelfExplanatory: true },
    ],
    sessions.map((listedSession) => [
      rowHeading(html`${browserName(listedSession.agent) ?? messages.unknownBrowser}\
${
  listedSession.id === session.id && html` <span class="positive">${messages.thisSession}</span>`
}`),
      { content: listedSession.network, className: 'mono' },
      singleLineCell(renderDateTime({ site, world }, listedSession.createdAt)),
      singleLineCell(
        listedSession.seenAt === null ? '' : renderDateTime({ site, world }, listedSession.seenAt),
      ),
      listedSession.id === session.id
        ? ''
        : renderPostForm(
            context,
            { action: `${PATH}/sessions/end` },
            html`<input type="hidden" name="id" value="${listedSession.id}">\
${renderButton(messages.endSession, 'link')}`,
          ),
    ]),
    { label: messages.sessions },
  );
  return html`${table}
${
  sessions.length > 1 &&
  html`<div class="spaced">${renderPostForm(
    context,
    { action: `${PATH}/sessions/end-others` },
    renderButton(messages.endOthers, 'quiet'),
  )}</div>`
}`;
}

export async function changePassword(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { messages, session, passwords } = context;
  const result = await passwords.change(session, {
    current: readPassword(request.form, 'current'),
    next: readPassword(request.form, 'next'),
    origin: request.from,
  });
  switch (result.kind) {
    case 'changed':
      return redirectWithNotice(PATH, 'password');
    case 'wrong':
      return showAccount(context, request, { current: messages.passwordWrong }, 422);
    case 'invalid': {
      const next = passwordProblemText(result.problems, context.site.language);
      return showAccount(context, request, { next }, 422);
    }
    case 'too_many': {
      const wait = Math.ceil(result.waitMs / 1000);
      return showAccount(context, request, { current: messages.tooMany(wait) }, 429);
    }
  }
}

export async function sendVerification({
  links,
  account,
}: ConsoleContext): Promise<ConsoleResponse> {
  await links?.sendVerification(account.id);
  return redirectWithNotice(PATH, 'mail');
}

export async function endSession(
  { sessions, session }: ConsoleContext,
  { form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  await sessions.end(session, form.get('id') ?? '', from);
  return redirectWithNotice(PATH, 'ended');
}

export async function endOtherSessions(
  { sessions, session }: ConsoleContext,
  { from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  await sessions.endOthers(session, from);
  return redirectWithNotice(PATH, 'others');
}
