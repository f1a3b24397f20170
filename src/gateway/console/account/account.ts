// Account page: e-mail address, password, one-time codes and active sessions.

import { passwordProblemText } from '../../../kernel/crypto/password-problem.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import {
  button,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
} from '../../../kernel/web/forms.ts';
import { listTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { browserName } from '../../accounts/browser-name.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { unconfirmedAddressText } from '../shell/layout.ts';
import { doneNotice, redirectWithNotice } from '../shell/notice.ts';
import { changeAddressPart } from './account-address.ts';
import { accountDataPart } from './account-data.ts';
import { deletionPart } from './delete-account.ts';
import { requestLogPart } from './request-log-setting.ts';
import { securityLogPart } from './security-log.ts';

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
    body: html`${pageHead(messages.account, messages.accountAbout)}
${doneNotice(context, request)}${errorSummary(context, errors)}
<section class="part"><h2>${messages.address}</h2>
${addressPart(context)}${await changeAddressPart(context, request, errors)}</section>
<div class="pair">
<section class="part"><h2>${messages.password}</h2>${passwordPart(context, errors)}</section>
<section class="part"><h2>${messages.totp}</h2>${await totpPart(context, errors)}</section>
</div>
${await requestLogPart(context, request)}
<section class="part"><h2>${messages.sessions}</h2>${await sessionsPart(context)}</section>
${securityLogPart(context)}
${accountDataPart(context)}
${deletionPart(context)}`,
  };
}

function addressPart(context: ConsoleContext): Html {
  const { messages, account, links } = context;
  if (!account.awaitsVerification) return html`<p>${account.email}</p>`;
  return html`<p>${account.email} <span class="warning">${messages.notConfirmed}</span></p>
<p class="explains">${unconfirmedAddressText(context)}</p>
${
  links !== null &&
  postForm(context, { action: `${PATH}/verification` }, button(messages.sendAgain, 'quiet'))
}`;
}

function passwordPart(context: ConsoleContext, errors: FieldErrors): Html {
  const { messages, account } = context;
  return html`<p class="explains">${messages.changePasswordAbout}</p>
${postForm(
  context,
  { action: `${PATH}/password` },
  html`<input class="unseen" type="text" name="username" autocomplete="username" \
value="${account.email}" readonly tabindex="-1" aria-hidden="true">
${textField({
  name: 'current',
  label: messages.currentPassword,
  value: '',
  error: errors.current,
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
})}${textField({
  name: 'next',
  label: messages.newPassword,
  value: '',
  error: errors.next,
  help: messages.passwordHelp,
  isRequired: true,
  type: 'password',
  autocomplete: 'new-password',
})}
${button(messages.changePassword)}`,
)}`;
}

async function totpPart(context: ConsoleContext, errors: FieldErrors): Promise<Html> {
  const { messages, session, secondFactor, account } = context;
  if (!session.hasTotp) {
    return html`<p class="explains">${messages.totpOffState}</p>
<p><a class="button quiet" href="${PATH}/one-time-codes">${messages.totpSetUp}</a></p>`;
  }
  const remainingCodes = await secondFactor.recoveryCodesLeft(account.id);
  return html`<p class="explains">${messages.totpOnState(remainingCodes)}</p>
${withPassword('recovery', messages.recoveryNew, messages.recoveryNewAbout, 'quiet')}
${withPassword('off', messages.totpSwitchOff, messages.totpSwitchOffAbout, 'danger')}`;

  function withPassword(name: string, label: string, about: string, kind: 'quiet' | 'danger') {
    const error = errors[name];
    return html`<details${error !== undefined && html` open`}><summary>${label}</summary>
<p class="explains">${about}</p>
${postForm(
  context,
  { action: `${PATH}/one-time-codes/${name}` },
  html`${textField({
    name,
    label: messages.currentPassword,
    value: '',
    error,
    type: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  })}${button(label, kind)}`,
)}</details>`;
  }
}

async function sessionsPart(context: ConsoleContext): Promise<Html> {
  const { messages, session, site, world } = context;
  const all = await context.sessions.list(session.accountId);
  const table = listTable(
    [
      { label: messages.browser },
      { label: messages.network },
      { label: messages.since },
      { label: messages.seen },
      { label: '', isNumber: true, isSelfExplanatory: true },
    ],
    all.map((each) => [
      rowHeading(html`${browserName(each.agent) ?? messages.unknownBrowser}\
${each.id === session.id && html` <span class="positive">${messages.thisSession}</span>`}`),
      { content: each.network, className: 'mono' },
      singleLineCell(dateTime({ site, world }, each.createdAt)),
      singleLineCell(each.seenAt === null ? '' : dateTime({ site, world }, each.seenAt)),
      each.id === session.id
        ? ''
        : postForm(
            context,
            { action: `${PATH}/sessions/end` },
            html`<input type="hidden" name="id" value="${each.id}">\
${button(messages.endSession, 'link')}`,
          ),
    ]),
    { label: messages.sessions },
  );
  return html`${table}
${
  all.length > 1 &&
  html`<div class="spaced">${postForm(
    context,
    { action: `${PATH}/sessions/end-others` },
    button(messages.endOthers, 'quiet'),
  )}</div>`
}`;
}

export async function changePassword(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { messages, session, passwords } = context;
  const raw = (name: string) => (request.form.get(name) ?? '').slice(0, 1_000);
  const changed = await passwords.change(session, {
    current: raw('current'),
    next: raw('next'),
    origin: request.from,
  });
  switch (changed.kind) {
    case 'changed':
      return redirectWithNotice(PATH, 'password');
    case 'wrong':
      return showAccount(context, request, { current: messages.passwordWrong }, 422);
    case 'invalid': {
      const next = passwordProblemText(changed.problems, context.site.language);
      return showAccount(context, request, { next }, 422);
    }
    case 'too_many': {
      const wait = Math.ceil(changed.waitMs / 1000);
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
