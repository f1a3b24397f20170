// Suspends, resumes and deletes an account.

import { Fault } from '../../../kernel/errors/fault.ts';
import { html } from '../../../kernel/html/html.ts';
import { renderTextField, textOf } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { type Account, resumeAccount, suspendAccount } from '../../accounts/account.ts';
import {
  type AccountDeletionResult,
  deletionRecord,
  readConfirmedAmount,
} from '../../accounts/delete-account.ts';
import { redirectWithNotice, renderActionPage, renderReasonField } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from '../money/format-money.ts';
import { requireExistingAccount } from './find-account.ts';

type StatusChange = 'suspend' | 'resume';

const statusOf = { suspend: 'suspended', resume: 'active' } as const;

export async function renderStatusPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
  statusChange: StatusChange,
): Promise<GatewayAdminResponse> {
  const account = await requireExistingAccount(context, request);
  const path = `/admin/accounts/${account.id}`;
  return account.status === statusOf[statusChange]
    ? { kind: 'moved', to: path }
    : renderStatusForm(context, account, statusChange, null);
}

function renderStatusForm(
  context: GatewayAdminContext,
  { id, email }: Account,
  statusChange: StatusChange,
  problem: string | null,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const isSuspend = statusChange === 'suspend';
  return renderActionPage(context, {
    title: isSuspend ? messages.suspendOf(email) : messages.resumeOf(email),
    section: 'accounts',
    explains: isSuspend ? messages.suspendAbout : messages.resumeAbout,
    action: `/admin/accounts/${id}/${statusChange}`,
    label: isSuspend ? messages.suspend : messages.resume,
    isDanger: isSuspend,
    back: `/admin/accounts/${id}`,
    errors: problem === null ? {} : { reason: problem },
    fields: html`${renderReasonField(context, '', problem ?? undefined)}`,
  });
}

export async function changeStatus(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
  statusChange: StatusChange,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const account = await requireExistingAccount(context, request);
  const note = textOf(request.form, 'reason');
  if (note === null)
    return renderStatusForm(
      context,
      account,
      statusChange,
      adminMessages(site.language).reasonMissing,
    );
  const { id: subject, status } = account;
  const change = statusChange === 'suspend' ? suspendAccount : resumeAccount;
  await withAudit(world, db, session, async (tx) => {
    if (!(await change(tx, subject))) throw new Fault('not_found', 'No such account.');
    const states = { before: { status }, after: { status: statusOf[statusChange] } };
    const auditEntry = { action: statusChange, kind: 'account', subject, ...states, note };
    // An unchanged status, after a concurrent change, needs no audit entry.
    return { outcome: null, entry: status === statusOf[statusChange] ? null : auditEntry };
  });
  return redirectWithNotice(`/admin/accounts/${subject}`, statusChange);
}

/** `errors` are shown beside the fields of the same names; `isMoreMoneyLeft` shows a notice. */
async function renderDeletePage(
  context: GatewayAdminContext,
  { id, email }: Account,
  formInput: { readonly reason: string; readonly confirm: string },
  problem: { readonly errors?: Record<string, string>; readonly isMoreMoneyLeft?: boolean },
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const { cash, vouchers, debt } = await context.deletion.remainingMoney(id);
  const { errors = {}, isMoreMoneyLeft = false } = problem;
  const confirmField = {
    name: 'confirm',
    label: messages.deleteConfirm(id),
    value: formInput.confirm,
    error: errors.confirm,
    isRequired: true,
    autocomplete: 'off',
  };
  return renderActionPage(context, {
    title: messages.deleteOf(email),
    section: 'accounts',
    explains: [
      ...messages.deleteAbout,
      messages.deleteLeft(formatYuan(cash), formatYuan(vouchers), formatYuan(debt)),
    ],
    action: `/admin/accounts/${id}/delete`,
    label: messages.deleteAccount,
    isDanger: true,
    back: `/admin/accounts/${id}`,
    errors,
    notice: isMoreMoneyLeft
      ? html`<div class="notice"><p>${messages.deleteMoreMoney}</p></div>`
      : null,
    fields: html`<input type="hidden" name="left" value="${String(cash + vouchers)}">\
${renderReasonField(context, formInput.reason, errors.reason)}${renderTextField(confirmField)}`,
  });
}

export const deletePage = async (
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> =>
  renderDeletePage(
    context,
    await requireExistingAccount(context, request),
    { reason: '', confirm: '' },
    {},
  );

export async function deleteAccount(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site, deletion } = context;
  const messages = adminMessages(site.language);
  const account = await requireExistingAccount(context, request);
  const { id: subject } = account;
  const note = textOf(request.form, 'reason');
  const formInput = { reason: note ?? '', confirm: textOf(request.form, 'confirm') ?? '' };
  const errors = {
    ...(note === null && { reason: messages.reasonMissing }),
    ...(formInput.confirm !== subject && { confirm: messages.deleteWrongId }),
  };
  if (Object.keys(errors).length > 0)
    return renderDeletePage(context, account, formInput, { errors });
  const confirmedAmount = readConfirmedAmount(request.form);
  const deletionResult = await withAudit<AccountDeletionResult>(world, db, session, async (tx) => {
    const outcome = await deletion.delete(tx, { accountId: subject, confirmedAmount });
    return { outcome, entry: deletionRecord(account, outcome, formInput.reason) };
  });
  if (deletionResult.kind === 'not_found') throw new Fault('not_found', 'No such account.');
  if (deletionResult.kind === 'more_money') {
    return renderDeletePage(context, account, formInput, { isMoreMoneyLeft: true });
  }
  return redirectWithNotice(`/admin/accounts/${subject}`, 'delete');
}
