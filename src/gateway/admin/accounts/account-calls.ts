// Shows the calls of an account and the details of one call, and refunds a call.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { type FieldErrors, renderTextField } from '../../../kernel/web/forms.ts';
import { renderListTable, singleLineCell } from '../../../kernel/web/list-table.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  type CallRefund,
  findRefunds,
  type RefundResult,
  refundCall,
} from '../../wallet/credits/refund-call.ts';
import { findCall, type LedgerCall, listCalls } from '../../wallet/history/read-calls.ts';
import {
  redirectWithNotice,
  renderActionPage,
  renderDoneNotice,
  renderReasonField,
} from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { capabilityName } from '../capability-name.ts';
import { formReference, isFormId, readFields, renderOnceField } from '../form-fields.ts';
import { type Fact, renderFacts, renderOlderLink } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan, parseCnyInput } from '../money/format-money.ts';
import { isLive, requireAccount } from './find-account.ts';

const PAGE_SIZE = 50;

export async function callsPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const account = await requireAccount(context, request);
  const livemode = isLive(request);
  const cursor = request.query.get('cursor');
  const wallet = { accountId: account.id, livemode };
  const page = await listCalls(context.db, { ...wallet, cursor, limit: PAGE_SIZE, mayLag: true });
  if (page === null) throw new Fault('invalid_request', 'The cursor does not belong to this list.');
  const path = `/admin/accounts/${account.id}`;
  const title = messages.callsOf(account.email);
  const mode = livemode ? {} : { mode: 'test' };
  return {
    kind: 'page',
    title,
    section: 'accounts',
    main: html`${renderPageHead(title, livemode ? messages.live : messages.test)}
<p class="more"><a class="link" href="${path}">← ${account.email}</a></p>
${
  page.calls.length === 0
    ? html`<p class="empty">${messages.noCalls}</p>`
    : renderCallsTable(context, account.id, page.calls)
}
${
  page.nextCursor !== null &&
  renderOlderLink(messages.older, `${path}/calls`, { ...mode, cursor: page.nextCursor })
}`,
  };
}

export function renderCallsTable(
  { site, world }: GatewayAdminContext,
  accountId: string,
  calls: readonly LedgerCall[],
): Html {
  const messages = adminMessages(site.language);
  return renderListTable(
    [
      { label: messages.at },
      { label: messages.capability },
      { label: messages.outcome },
      { label: messages.charge, isNumber: true },
    ],
    calls.map((call) => [
      singleLineCell(html`<a href="${callPathOf(accountId, call)}">\
${renderDateTime({ site, world }, call.createdAt)}</a>`),
      capabilityName(site, call.capability),
      renderOutcome(messages, call),
      call.charge === null ? '–' : formatYuan(call.charge.total),
    ]),
  );
}

const callPathOf = (accountId: string, { requestId, livemode }: LedgerCall) =>
  `/admin/accounts/${accountId}/calls/${requestId}${livemode ? '' : '?mode=test'}`;

const stateClass: Readonly<Record<LedgerCall['state'], string>> = {
  held: '',
  unknown: 'warning',
  captured: 'positive',
  released: 'warning',
  expired: 'warning',
};

function renderOutcome(
  messages: ReturnType<typeof adminMessages>,
  { state, status, code }: LedgerCall,
) {
  return html`<span class="${stateClass[state]}">${messages.callStates[state]}</span>\
${status !== null && html`<span class="meta below">${[status, code].join(' ').trim()}</span>`}`;
}

type CallDetails = {
  readonly accountId: string;
  readonly email: string;
  readonly call: LedgerCall;
  readonly refunds: readonly CallRefund[];
  /** The refundable amount. */
  readonly refundable: MicroFen;
};

async function requireCall(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<CallDetails> {
  const account = await requireAccount(context, request);
  const requestId = request.params.requestId ?? '';
  const wallet = { accountId: account.id, livemode: isLive(request) };
  const call = await findCall(context.world, context.db, { ...wallet, requestId });
  if (call === null) throw new Fault('not_found', `There is no call ${requestId} of this account.`);
  // Operators do not see the response body of a customer's call.
  const { response: _response, ...callView } = call;
  const refundsByCall = await findRefunds(context.db, wallet, [requestId]);
  const refunds = refundsByCall.get(requestId) ?? [];
  const refunded = refunds.reduce((sum, { cash, voucher }) => sum + cash + voucher, 0n);
  const refundable = (call.charge?.total ?? 0n) - refunded;
  return { accountId: account.id, email: account.email, call: callView, refunds, refundable };
}

export async function callPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { site, world } = context;
  const messages = adminMessages(site.language);
  const { accountId, email, call, refunds, refundable } = await requireCall(context, request);
  const canRefund = refundable > 0n;
  const path = `/admin/accounts/${accountId}/calls/${call.requestId}/refund`;
  const mode = call.livemode ? '' : '?mode=test';
  const refundLink = html`<a class="button quiet" href="${path}${mode}">${messages.refund}</a>`;
  const renderTime = (at: number | null) =>
    at === null ? '–' : renderDateTime({ site, world }, at);
  const rows: readonly Fact[] = [
    [messages.account, html`<a href="/admin/accounts/${accountId}">${email}</a>`],
    [messages.capability, capabilityName(site, call.capability)],
    [messages.mode, call.livemode ? messages.live : messages.test],
    [messages.outcome, renderOutcome(messages, call)],
    [messages.begun, renderTime(call.createdAt)],
    [messages.ended, renderTime(call.completedAt)],
    [messages.key, html`<code>${call.keyId}</code>`],
    ...(call.charge === null ? [] : listChargeFacts(messages, call.charge)),
    ...refunds.map(
      ({ cash, voucher, actor, reason }): Fact => [
        messages.refunded,
        html`${formatYuan(cash + voucher)}<span class="meta below">\
${messages.refundParts(formatYuan(cash), formatYuan(voucher))}</span><span class="meta below">\
${actor}: ${reason}</span>`,
      ],
    ),
  ];
  return {
    kind: 'page',
    title: call.requestId,
    section: 'accounts',
    main: html`${renderPageHead(messages.call, null, canRefund ? refundLink : null)}
${renderDoneNotice(context, request)}
<p class="meta"><code>${call.requestId}</code></p>
${renderFacts(rows, 'facts')}
<p class="explains spaced">${messages.callAbout}</p>
${await renderAuditPart(context, { kind: 'call', subject: call.requestId })}`,
  };
}

function listChargeFacts(
  messages: ReturnType<typeof adminMessages>,
  { total, freeQuota, voucher, cash }: NonNullable<LedgerCall['charge']>,
): readonly Fact[] {
  return [
    [messages.charge, formatYuan(total)],
    [
      messages.chargeFrom,
      messages.parts(formatYuan(freeQuota), formatYuan(voucher), formatYuan(cash)),
    ],
  ];
}

export async function refundPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const call = await requireCall(context, request);
  const formId = context.world.ids.next();
  return renderRefundForm(context, call, {
    once: formId,
    amount: formatYuan(call.refundable),
    reason: '',
  });
}

type RefundInput = Readonly<Record<(typeof refundFields)[number], string>>;

const refundFields = ['once', 'amount', 'reason'] as const;

function renderRefundForm(
  context: GatewayAdminContext,
  { accountId, email, call, refundable }: CallDetails,
  formInput: RefundInput,
  errors: FieldErrors = {},
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const path = `/admin/accounts/${accountId}/calls/${call.requestId}`;
  const mode = call.livemode ? '' : '?mode=test';
  const cost = call.charge?.total ?? 0n;
  return renderActionPage(context, {
    title: messages.refund,
    section: 'accounts',
    errors,
    explains: [
      messages.refundAbout(email, formatYuan(cost), formatYuan(refundable)),
      messages.transferAbout,
    ],
    action: `${path}/refund${mode}`,
    label: messages.refund,
    back: `${path}${mode}`,
    fields: html`${renderOnceField(formInput.once)}${renderTextField({
      name: 'amount',
      label: messages.amountCny,
      value: formInput.amount,
      inputMode: 'decimal',
      help: messages.refundAmountHelp(formatYuan(refundable)),
      error: errors.amount,
    })}${renderReasonField(context, formInput.reason, errors.reason)}`,
  });
}

export async function postRefund(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site, session } = context;
  const messages = adminMessages(site.language);
  const callDetails = await requireCall(context, request);
  const { accountId, call, refundable } = callDetails;
  const formInput = readFields(request.form, refundFields);
  const amount = parseCnyInput(formInput.amount);
  const errors: FieldErrors = {
    ...(!isFormId(formInput.once) && { '': messages.formUnknown }),
    ...((amount === null || amount <= 0n) && {
      amount: messages.refundAmountWrong(formatYuan(refundable)),
    }),
    ...(formInput.reason === '' && { reason: messages.reasonMissing }),
  };
  if (amount === null || Object.keys(errors).length > 0) {
    return renderRefundForm(context, callDetails, formInput, errors);
  }
  const { requestId, livemode } = call;
  try {
    await withAudit<RefundResult>(world, db, session, async (tx) => {
      const reference = formReference(formInput.once);
      const refund = {
        accountId,
        livemode,
        requestId,
        amount,
        reference,
        reason: formInput.reason,
      };
      const outcome = await refundCall(world, tx, { ...refund, actor: session.name });
      const stateAfter = { account: accountId, amount: formatYuan(amount) };
      const auditEntry = {
        action: 'refund',
        kind: 'call',
        subject: requestId,
        before: {},
        after: stateAfter,
      };
      const isPosted = outcome.kind === 'posted';
      return { outcome, entry: isPosted ? { ...auditEntry, note: formInput.reason } : null };
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid_request') throw error;
    // Only the ledger checks the refundable amount: a repeated form, which the ledger recognizes,
    // must not fail because its first submission has reduced that amount.
    const currentCall = await requireCall(context, request);
    return renderRefundForm(context, currentCall, formInput, {
      amount: messages.refundAmountWrong(formatYuan(currentCall.refundable)),
    });
  }
  const mode = livemode ? '' : '?mode=test';
  const path = `/admin/accounts/${accountId}/calls/${requestId}`;
  return livemode
    ? redirectWithNotice(path, 'refund')
    : { kind: 'moved', to: `${path}${mode}&done=refund` };
}
