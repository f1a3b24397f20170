// Posts credits, withdrawals and vouchers for an account. Each is one transfer in the journal, even
// when its form is sent repeatedly.

import { type Html, html } from '../../../kernel/html/html.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { type FieldErrors, renderChoiceField, renderTextField } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import type { Account } from '../../accounts/account.ts';
import {
  creditAccount,
  issueVoucher,
  type TransferResult,
  topUp,
} from '../../wallet/credits/post-transfer.ts';
import { redirectWithNotice, renderActionPage, renderReasonField } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import {
  formReference,
  isFormId,
  readFields,
  readWholeNumber,
  renderOnceField,
} from '../form-fields.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan, parseCnyInput } from '../money/format-money.ts';
import { requireExistingAccount } from './find-account.ts';

const MAX_DAYS = 3_650;
const MAX_NAME_LENGTH = 100;
const MODES = ['live', 'test'] as const;
const CREDIT_KINDS = ['credit', 'paid'] as const;

/** A form without a valid choice must not move real money. */
const isChoice = (choices: readonly string[], text: string) => choices.includes(text);

type MoneyInput = Readonly<Record<string, string>>;

function renderModeField(context: GatewayAdminContext, value: string): Html {
  const messages = adminMessages(context.site.language);
  const choices = MODES.map((mode) => ({ value: mode, label: messages[mode] }));
  return renderChoiceField({ name: 'mode', label: messages.mode, value, choices });
}

const creditFields = ['once', 'amount', 'mode', 'kind', 'reference', 'reason'] as const;

export async function creditPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const account = await requireExistingAccount(context, request);
  const defaults = { once: context.world.ids.next(), mode: 'live', kind: 'credit' };
  return renderCreditForm(context, account, defaults);
}

type MoneyFormView = {
  readonly kind: 'credit' | 'voucher';
  readonly title: string;
  readonly about: string;
  readonly label: string;
  readonly formInput: MoneyInput;
  readonly errors: FieldErrors;
  /** Fields of the form, besides its id, the mode and the reason. */
  readonly fields: Html;
};

/** Renders the credit form or the voucher form: the common fields around the form's own fields. */
function renderMoneyForm(
  context: GatewayAdminContext,
  { id }: Account,
  view: MoneyFormView,
): GatewayAdminResponse {
  const { kind, title, about, label, formInput, errors, fields } = view;
  const messages = adminMessages(context.site.language);
  const inputValueOf = (name: string) => formInput[name] ?? '';
  return renderActionPage(context, {
    title,
    section: 'accounts',
    errors,
    explains: [about, messages.transferAbout],
    action: `/admin/accounts/${id}/${kind}`,
    label,
    back: `/admin/accounts/${id}`,
    fields: html`${renderOnceField(inputValueOf('once'))}${fields}\
${renderModeField(context, inputValueOf('mode'))}\
${renderReasonField(context, inputValueOf('reason'), errors.reason)}`,
  });
}

function renderCreditForm(
  context: GatewayAdminContext,
  account: Account,
  formInput: MoneyInput,
  errors: FieldErrors = {},
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const inputValueOf = (name: string) => formInput[name] ?? '';
  return renderMoneyForm(context, account, {
    kind: 'credit',
    title: messages.creditTo(account.email),
    formInput,
    errors,
    about: messages.creditAbout,
    label: messages.credit,
    fields: html`${renderTextField({
      name: 'amount',
      label: messages.amountCny,
      value: inputValueOf('amount'),
      help: messages.creditAmountHelp,
      error: errors.amount,
    })}${renderChoiceField({
      name: 'kind',
      label: messages.creditKind,
      value: inputValueOf('kind'),
      choices: [
        { value: 'credit', label: messages.creditKinds.credit },
        { value: 'paid', label: messages.creditKinds.paid },
      ],
    })}${renderTextField({
      name: 'reference',
      label: messages.reference,
      value: inputValueOf('reference'),
      help: messages.referenceHelp,
      error: errors.reference,
    })}`,
  });
}

export async function postCredit(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const account = await requireExistingAccount(context, request);
  const formInput = readFields(request.form, creditFields);
  const { once, reason, reference } = formInput;
  const amount = parseCnyInput(formInput.amount);
  const isPaid = formInput.kind === 'paid';
  const hasChoices = isChoice(MODES, formInput.mode) && isChoice(CREDIT_KINDS, formInput.kind);
  const errors: FieldErrors = {
    ...((amount === null || amount === 0n) && { amount: messages.amountWrong }),
    ...(isPaid && amount !== null && amount < 0n && { amount: messages.paidBelowZero }),
    ...(isPaid && reference === '' && { reference: messages.referenceMissing }),
    ...(reason === '' && { reason: messages.reasonMissing }),
    ...(!(isFormId(once) && hasChoices) && { '': messages.formUnknown }),
  };
  if (amount === null || Object.keys(errors).length > 0) {
    return renderCreditForm(context, account, formInput, errors);
  }
  const livemode = formInput.mode === 'live';
  const transferReference = reference === '' ? formReference(once) : reference;
  const input = { accountId: account.id, livemode, amount, reason, actor: session.name };
  const transferResult = await withAudit<TransferResult>(world, db, session, async (tx) => {
    const transfer = isPaid ? topUp : creditAccount;
    const outcome = await transfer(world, tx, { ...input, reference: transferReference });
    const stateAfter = {
      amount: formatYuan(amount),
      mode: livemode ? 'live' : 'test',
      reference: transferReference,
    };
    const action = isPaid ? 'top_up' : 'credit';
    const auditEntry = {
      action,
      kind: 'account',
      subject: account.id,
      before: {},
      after: stateAfter,
      note: reason,
    };
    return { outcome, entry: outcome.kind === 'posted' ? auditEntry : null };
  });
  if (transferResult.kind === 'insufficient') {
    return renderCreditForm(context, account, formInput, { amount: messages.cashTooLow });
  }
  // A repeated form returns the first result. Another payment with the same reference is a mistake.
  if (transferResult.kind === 'known' && reference !== '') {
    return renderCreditForm(context, account, formInput, {
      reference: messages.referenceKnown(formatYuan(transferResult.amount)),
    });
  }
  return redirectWithNotice(`/admin/accounts/${account.id}`, 'credit');
}

const voucherFields = ['once', 'amount', 'name', 'days', 'mode', 'reason'] as const;

export async function voucherPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const account = await requireExistingAccount(context, request);
  const defaults = { once: context.world.ids.next(), days: '30', mode: 'live' };
  return renderVoucherForm(context, account, defaults);
}

function renderVoucherForm(
  context: GatewayAdminContext,
  account: Account,
  formInput: MoneyInput,
  errors: FieldErrors = {},
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const inputValueOf = (name: string) => formInput[name] ?? '';
  return renderMoneyForm(context, account, {
    kind: 'voucher',
    title: messages.voucherTo(account.email),
    formInput,
    errors,
    about: messages.voucherAbout,
    label: messages.giveVoucher,
    fields: html`${renderTextField({
      name: 'amount',
      label: messages.amountCny,
      value: inputValueOf('amount'),
      inputMode: 'decimal',
      error: errors.amount,
    })}${renderTextField({
      name: 'name',
      label: messages.voucherName,
      value: inputValueOf('name'),
      help: messages.voucherNameHelp,
      error: errors.name,
    })}${renderTextField({
      name: 'days',
      label: messages.voucherDays,
      value: inputValueOf('days'),
      inputMode: 'numeric',
      error: errors.days,
    })}`,
  });
}

export async function issueVoucherTo(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const account = await requireExistingAccount(context, request);
  const formInput = readFields(request.form, voucherFields);
  const { once, name, reason } = formInput;
  const amount = parseCnyInput(formInput.amount);
  const days = readWholeNumber(formInput.days, MAX_DAYS);
  const errors: FieldErrors = {
    ...((amount === null || amount <= 0n) && { amount: messages.amountAboveZero }),
    ...((name === '' || [...name].length > MAX_NAME_LENGTH) && {
      name: messages.nameWrong(MAX_NAME_LENGTH),
    }),
    ...(days === null && { days: messages.daysWrong(MAX_DAYS) }),
    ...(reason === '' && { reason: messages.reasonMissing }),
    ...(!(isFormId(once) && isChoice(MODES, formInput.mode)) && { '': messages.formUnknown }),
  };
  if (amount === null || days === null || Object.keys(errors).length > 0) {
    return renderVoucherForm(context, account, formInput, errors);
  }
  const livemode = formInput.mode === 'live';
  const expiresAt = world.clock.now() + days * DAY_MS;
  await withAudit<TransferResult>(world, db, session, async (tx) => {
    const outcome = await issueVoucher(world, tx, {
      accountId: account.id,
      livemode,
      amount,
      name,
      expiresAt,
      reference: formReference(once),
      reason,
      actor: session.name,
    });
    const stateAfter = { amount: formatYuan(amount), name, days, mode: livemode ? 'live' : 'test' };
    const subject = account.id;
    const auditEntry = {
      action: 'voucher',
      kind: 'account',
      subject,
      before: {},
      after: stateAfter,
      note: reason,
    };
    return { outcome, entry: outcome.kind === 'posted' ? auditEntry : null };
  });
  return redirectWithNotice(`/admin/accounts/${account.id}`, 'voucher');
}
