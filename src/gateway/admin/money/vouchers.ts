// Lists, creates and withdraws batches of voucher codes. The codes are shown once, to the operator
// who creates them.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatShanghai } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { wasFormApplied, withAudit } from '../../../operators/audit-log.ts';
import {
  listVoucherBatches,
  makeVoucherBatch,
  type VoucherBatch,
  withdrawVoucherBatch,
} from '../../wallet/credits/voucher-codes.ts';
import { MAX_BATCH_CODES, MAX_VOUCHER_DAYS } from '../../wallet/credits/voucher-limits.ts';
import { redirectWithNotice, renderActionPage, renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { isFormId, readFields, readWholeNumber, renderOnceField } from '../form-fields.ts';
import { adminMessages } from '../messages/admin.ts';
import { renderCodesPage } from './codes-page.ts';
import { formatYuan, parseCnyInput } from './format-money.ts';

const MAX_NAME_LENGTH = 100;
const formFields = [
  'once',
  'name',
  'amount',
  'count',
  'days',
  'redeemDays',
  'onePerAccount',
] as const;
type BatchInput = Readonly<Record<(typeof formFields)[number], string>>;

export async function vouchersPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const batches = await listVoucherBatches(context.db);
  const makeLink = html`<a class="button" href="/admin/vouchers/make">${messages.makeBatch}</a>`;
  return {
    kind: 'page',
    title: messages.sections.vouchers,
    section: 'vouchers',
    main: html`${renderPageHead(messages.sections.vouchers, messages.vouchersAbout, makeLink)}
${renderDoneNotice(context, request)}
${
  batches.length === 0
    ? html`<p class="empty">${messages.noBatches}\
</p>`
    : renderTable(context, batches)
}`,
  };
}

function renderTable(context: GatewayAdminContext, batches: readonly VoucherBatch[]): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  const now = context.world.clock.now();
  const columns = [
    { label: messages.batch },
    { label: messages.condition, isSelfExplanatory: true },
    { label: messages.amount, isNumber: true },
    { label: messages.redeemed, isNumber: true },
    { label: messages.redeemUntil },
    { label: messages.made },
  ];
  return renderListTable(
    columns,
    batches.map((batch) => {
      const isOver = batch.withdrawnAt !== null || batch.redeemUntil <= now;
      const path = `/admin/vouchers/${batch.id}/withdraw`;
      return [
        rowHeading(html`${batch.name}<span class="meta below">${batch.id}</span>`),
        html`${renderState(messages, batch, now)}${
          !isOver && html`<a class="below" href="${path}">${messages.withdrawBatch}</a>`
        }`,
        formatYuan(batch.amount),
        messages.of(batch.redeemed, batch.count),
        singleLineCell(renderDateTime(context, batch.redeemUntil)),
        html`${batch.madeBy}<span class="meta below">${renderDateTime(context, batch.madeAt)}\
</span>`,
      ];
    }),
  );
}

function renderState(
  messages: ReturnType<typeof adminMessages>,
  batch: VoucherBatch,
  now: number,
): Html {
  if (batch.withdrawnAt !== null) return html`<span class="warning">${messages.withdrawn}</span>`;
  if (batch.redeemUntil <= now) return html`<span class="warning">${messages.batchExpired}</span>`;
  return html`<span class="positive">${messages.redeemable}</span>`;
}

export async function makeBatchPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const defaults = { name: '', amount: '', count: '10', days: '30', redeemDays: '90' };
  return renderBatchForm(context, {
    ...defaults,
    once: context.world.ids.next(),
    onePerAccount: 'on',
  });
}

function renderBatchForm(
  context: GatewayAdminContext,
  formInput: BatchInput,
  errors: FieldErrors = {},
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const renderField = (name: 'amount' | 'count' | 'days' | 'redeemDays', help?: string) =>
    renderTextField({
      name,
      label: messages.batchFields[name],
      value: formInput[name],
      error: errors[name],
      inputMode: name === 'amount' ? 'decimal' : 'numeric',
      ...(help && { help }),
    });
  return renderActionPage(context, {
    title: messages.makeBatch,
    section: 'vouchers',
    errors,
    explains: messages.makeBatchAbout,
    action: '/admin/vouchers/make',
    label: messages.makeBatch,
    back: '/admin/vouchers',
    fields: html`${renderOnceField(formInput.once)}${renderTextField({
      name: 'name',
      label: messages.voucherName,
      value: formInput.name,
      help: messages.voucherNameHelp,
      error: errors.name,
    })}${renderField('amount')}${renderField('count')}${renderField('days')}\
${renderField('redeemDays')}
<div class="field tick"><label><input type="checkbox" name="onePerAccount"${
      formInput.onePerAccount === 'on' && html` checked`
    }> ${messages.onePerAccount}</label></div>`,
  });
}

type BatchCreation = Awaited<ReturnType<typeof makeVoucherBatch>>;

export async function makeBatch(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const formInput = readFields(request.form, formFields);
  const amount = parseCnyInput(formInput.amount);
  const [count, daysValid] = [
    readWholeNumber(formInput.count, MAX_BATCH_CODES),
    readWholeNumber(formInput.days, MAX_VOUCHER_DAYS),
  ];
  const redeemDays = readWholeNumber(formInput.redeemDays, MAX_VOUCHER_DAYS);
  const hasValidName = formInput.name !== '' && [...formInput.name].length <= MAX_NAME_LENGTH;
  const errors: FieldErrors = {
    ...(!hasValidName && { name: messages.nameWrong(MAX_NAME_LENGTH) }),
    ...((amount === null || amount <= 0n) && { amount: messages.amountAboveZero }),
    ...(count === null && { count: messages.numberWrong(1, MAX_BATCH_CODES) }),
    ...(daysValid === null && { days: messages.numberWrong(1, MAX_VOUCHER_DAYS) }),
    ...(redeemDays === null && { redeemDays: messages.numberWrong(1, MAX_VOUCHER_DAYS) }),
    ...(!isFormId(formInput.once) && { '': messages.formUnknown }),
  };
  const isValid = amount !== null && count !== null && daysValid !== null && redeemDays !== null;
  if (!isValid || Object.keys(errors).length > 0)
    return renderBatchForm(context, formInput, errors);
  const redeemUntil = world.clock.now() + redeemDays * DAY_MS;
  const onePerAccount = formInput.onePerAccount === 'on';
  const input = { name: formInput.name, amount, count, daysValid, redeemUntil, onePerAccount };
  const createdBatch = await withAudit<BatchCreation | null>(world, db, session, async (tx) => {
    if (await wasFormApplied(tx, 'voucher_batch', formInput.once))
      return { outcome: null, entry: null };
    const outcome = await makeVoucherBatch(world, tx, { ...input, actor: session.name });
    const after = {
      name: input.name,
      amount: formatYuan(amount),
      codes: count,
      days: daysValid,
      until: formatShanghai(redeemUntil),
      one_per_account: onePerAccount,
      form: formInput.once,
    };
    const subject = outcome.id;
    const auditEntry = {
      action: 'make',
      kind: 'voucher_batch',
      subject,
      before: {},
      after,
      note: null,
    };
    return { outcome, entry: auditEntry };
  });
  if (createdBatch === null) return redirectWithNotice('/admin/vouchers', 'codesAgain');
  const { codes } = createdBatch;
  return renderCodesPage(context, {
    name: formInput.name,
    codes,
    section: 'vouchers',
    back: '/admin/vouchers',
  });
}

async function findBatch(context: GatewayAdminContext, { params }: GatewayAdminRequest) {
  return (await listVoucherBatches(context.db)).find(({ id }) => id === params.id) ?? null;
}

export async function renderWithdrawPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const batch = await findBatch(context, request);
  if (batch === null || batch.withdrawnAt !== null) return { kind: 'moved', to: '/admin/vouchers' };
  const path = `/admin/vouchers/${batch.id}/withdraw`;
  const title = messages.withdrawOf(batch.name);
  return {
    kind: 'page',
    title,
    section: 'vouchers',
    main: html`${renderPageHead(title, null)}<div class="act">
<p class="explains">${messages.withdrawAbout(batch.count - batch.redeemed, batch.redeemed)}</p>
${renderPostForm(
  context,
  { action: path },
  html`<div class="acts">${renderButton(messages.withdrawBatch, 'danger')}
<a href="/admin/vouchers">${messages.cancel}</a></div>`,
)}</div>
${await renderAuditPart(context, { kind: 'voucher_batch', subject: batch.id })}`,
  };
}

export async function withdrawBatch(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const batch = await findBatch(context, request);
  if (batch === null) return { kind: 'moved', to: '/admin/vouchers' };
  const { id: subject, name } = batch;
  await withAudit(world, db, session, async (tx) => {
    const isWithdrawn = await withdrawVoucherBatch(world, tx, subject);
    const states = { before: { redeemable: true }, after: { redeemable: false } };
    const auditEntry = {
      action: 'withdraw',
      kind: 'voucher_batch',
      subject,
      ...states,
      note: name,
    };
    return { outcome: isWithdrawn, entry: isWithdrawn ? auditEntry : null };
  });
  return redirectWithNotice('/admin/vouchers', 'withdraw');
}
