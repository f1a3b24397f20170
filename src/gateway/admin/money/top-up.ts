// Page of one top-up: its state here and at the provider, refunds, problems and actions.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { button, postForm } from '../../../kernel/web/forms.ts';
import { listTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { findAccount } from '../../accounts/account.ts';
import { readTopUpDetails, type TopUpDetails } from '../../wallet/top-ups/list-top-ups.ts';
import { manualActionOf } from '../../wallet/top-ups/resolve-manually.ts';
import { doneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { auditPart } from '../audit.ts';
import { type Fact, factList } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { yuan } from './format-money.ts';
import { topUpState, troublesOf } from './top-ups.ts';

/** Throws a Fault unless a top-up has this id. */
export async function requireTopUp(
  { db }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
): Promise<TopUpDetails & { readonly email: string }> {
  const id = params.id ?? '';
  const topUp = await readTopUpDetails(db, id);
  if (topUp === null) throw new Fault('not_found', `There is no top-up ${id}.`);
  const account = await findAccount(db, topUp.accountId);
  return { ...topUp, email: account?.email ?? topUp.accountId };
}

export async function topUpPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const topUp = await requireTopUp(context, request);
  const troubles = troublesOf(context, topUp);
  const hasBefore = [troubles, topUp.disputes, topUp.refunds].some((each) => each.length > 0);
  const title = messages.topUpOf(yuan(topUp.amount));
  return {
    kind: 'page',
    title,
    section: 'top-ups',
    main: html`${pageHead(title, null, actionLinks(context, topUp))}
${doneNotice(context, request)}
${
  troubles.length > 0 &&
  html`<section><h2 class="side">${messages.needsAnEye}</h2>
<ul class="needs">${troubles.map((text) => html`<li>${text}</li>`)}</ul></section>`
}
${
  topUp.disputes.length > 0 &&
  html`<section class="part"><h2 class="side">${messages.disputes}</h2>
${disputesPart(context, topUp)}</section>`
}${
  topUp.refunds.length > 0 &&
  html`<section class="part"><h2 class="side">${messages.refundsOfPayment}</h2>
${refundsPart(context, topUp)}</section>`
}
<section class="${hasBefore && 'part'}"><h2 class="side">${messages.facts}</h2>
${factList(facts(context, topUp), 'facts')}</section>
${await auditPart(context, { kind: 'top_up', subject: topUp.id })}`,
  };
}

function actionLinks(context: GatewayAdminContext, topUp: TopUpDetails): Html {
  const messages = adminMessages(context.site.language);
  const path = `/admin/top-ups/${topUp.id}`;
  const { kind } = manualActionOf(topUp);
  return html`<div class="acts">${
    kind !== 'nothing' && html`<a class="button quiet" href="${path}/settle">${messages[kind]}</a>`
  }${postForm(context, { action: `${path}/look` }, button(messages.look, 'quiet'))}</div>`;
}

function disputesPart({ site, world }: GatewayAdminContext, { disputes }: TopUpDetails): Html {
  const { language } = site;
  const messages = adminMessages(language);
  return listTable(
    [
      ...[{ label: messages.dispute }, { label: messages.condition, isSelfExplanatory: true }],
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
      { label: messages.answerBy },
    ],
    disputes.map(({ id, status, reason, amount, openedAt, answerBy }) => [
      rowHeading(
        html`${dateTime({ site, world }, openedAt)}\
<span class="meta below"><code>${id}</code></span>`,
      ),
      html`${messages.disputeStates[status]}<span class="meta below">\
${messages.disputeReasons[reason] ?? reason}</span>`,
      yuan(amount),
      singleLineCell(answerBy === null ? '–' : dateTime({ site, world }, answerBy)),
    ]),
  );
}

function refundsPart({ site, world }: GatewayAdminContext, { refunds }: TopUpDetails): Html {
  const { language } = site;
  const messages = adminMessages(language);
  const tones = { failed: 'negative', canceled: 'negative' } as Readonly<Record<string, string>>;
  return listTable(
    [
      { label: messages.refundOfPayment },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
    ],
    refunds.map(({ id, status, reason, amount, begunAt }) => [
      rowHeading(
        html`${dateTime({ site, world }, begunAt)}\
<span class="meta below"><code>${id}</code></span>`,
      ),
      {
        content: html`<span class="${tones[status] ?? ''}">${messages.refundStates[status]}</span>${
          reason !== null &&
          html`<span class="meta below">${messages.refundReasons[reason] ?? reason}</span>`
        }`,
        className: 'whole',
      },
      yuan(amount),
    ]),
    { stacks: true },
  );
}

function facts(
  context: GatewayAdminContext,
  topUp: TopUpDetails & { readonly email: string },
): readonly Fact[] {
  const { language } = context.site;
  const messages = adminMessages(language);
  const { refunded, disputed, forgiven, unreclaimed, creditedAt, isRealMoney } = topUp;
  const code = (text: string | null) => (text === null ? '–' : html`<code>${text}</code>`);
  const money = (name: string, amount: bigint): readonly Fact[] =>
    amount === 0n ? [] : [[name, yuan(amount)]];
  return [
    [messages.condition, topUpState(context, topUp)],
    [messages.id, code(topUp.id)],
    [messages.account, html`<a href="/admin/accounts/${topUp.accountId}">${topUp.email}</a>`],
    [messages.amount, yuan(topUp.amount)],
    ...money(messages.givenBack, refunded),
    ...money(messages.heldBack, disputed),
    ...money(messages.letGo, forgiven),
    ...money(messages.stillOwed, unreclaimed),
    [messages.begun, dateTime(context, topUp.begunAt)],
    ...(creditedAt === null ? [] : ([[messages.credited, dateTime(context, creditedAt)]] as const)),
    [messages.lookedAt, dateTime(context, topUp.syncedAt)],
    [messages.session, code(topUp.sessionId)],
    [messages.payment, code(topUp.paymentIntent)],
    ...(isRealMoney === false ? ([[messages.note, messages.testMode]] as const) : []),
  ];
}
