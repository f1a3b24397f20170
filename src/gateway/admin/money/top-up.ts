// Renders the page of one top-up: its state here and at the provider, refunds, problems and
// actions.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { findAccount } from '../../accounts/account.ts';
import { readTopUpDetails, type TopUpDetails } from '../../wallet/top-ups/list-top-ups.ts';
import { manualActionOf } from '../../wallet/top-ups/resolve-manually.ts';
import { renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { type Fact, renderFacts } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from './format-money.ts';
import { describeTroubles, renderTopUpState } from './top-ups.ts';

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
  const troubles = describeTroubles(context, topUp);
  const hasEarlierSections = [troubles, topUp.disputes, topUp.refunds].some(
    (sectionRows) => sectionRows.length > 0,
  );
  const title = messages.topUpOf(formatYuan(topUp.amount));
  return {
    kind: 'page',
    title,
    section: 'top-ups',
    main: html`${renderPageHead(title, null, renderActionLinks(context, topUp))}
${renderDoneNotice(context, request)}
${
  troubles.length > 0 &&
  html`<section><h2 class="side">${messages.needsAttention}</h2>
<ul class="needs">${troubles.map((text) => html`<li>${text}</li>`)}</ul></section>`
}
${
  topUp.disputes.length > 0 &&
  html`<section class="part"><h2 class="side">${messages.disputes}</h2>
${renderDisputes(context, topUp)}</section>`
}${
  topUp.refunds.length > 0 &&
  html`<section class="part"><h2 class="side">${messages.refundsOfPayment}</h2>
${renderRefunds(context, topUp)}</section>`
}
<section class="${hasEarlierSections && 'part'}"><h2 class="side">${messages.facts}</h2>
${renderFacts(listTopUpFacts(context, topUp), 'facts')}</section>
${await renderAuditPart(context, { kind: 'top_up', subject: topUp.id })}`,
  };
}

function renderActionLinks(context: GatewayAdminContext, topUp: TopUpDetails): Html {
  const messages = adminMessages(context.site.language);
  const path = `/admin/top-ups/${topUp.id}`;
  const { kind } = manualActionOf(topUp);
  return html`<div class="acts">${
    kind !== 'nothing' && html`<a class="button quiet" href="${path}/settle">${messages[kind]}</a>`
  }${renderPostForm(context, { action: `${path}/look` }, renderButton(messages.look, 'quiet'))}\
</div>`;
}

function renderDisputes({ site, world }: GatewayAdminContext, { disputes }: TopUpDetails): Html {
  const { language } = site;
  const messages = adminMessages(language);
  return renderListTable(
    [
      { label: messages.dispute },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
      { label: messages.answerBy },
    ],
    disputes.map(({ id, status, reason, amount, openedAt, answerBy }) => [
      rowHeading(
        html`${renderDateTime({ site, world }, openedAt)}\
<span class="meta below"><code>${id}</code></span>`,
      ),
      html`${messages.disputeStates[status]}<span class="meta below">\
${messages.disputeReasons[reason] ?? reason}</span>`,
      formatYuan(amount),
      singleLineCell(answerBy === null ? '–' : renderDateTime({ site, world }, answerBy)),
    ]),
  );
}

function renderRefunds({ site, world }: GatewayAdminContext, { refunds }: TopUpDetails): Html {
  const { language } = site;
  const messages = adminMessages(language);
  const tones = { failed: 'negative', canceled: 'negative' } as Readonly<Record<string, string>>;
  return renderListTable(
    [
      { label: messages.refundOfPayment },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
    ],
    refunds.map(({ id, status, reason, amount, begunAt }) => [
      rowHeading(
        html`${renderDateTime({ site, world }, begunAt)}\
<span class="meta below"><code>${id}</code></span>`,
      ),
      {
        content: html`<span class="${tones[status] ?? ''}">${messages.refundStates[status]}</span>${
          reason !== null &&
          html`<span class="meta below">${messages.refundReasons[reason] ?? reason}</span>`
        }`,
        className: 'whole',
      },
      formatYuan(amount),
    ]),
    { isStacked: true },
  );
}

function listTopUpFacts(
  context: GatewayAdminContext,
  topUp: TopUpDetails & { readonly email: string },
): readonly Fact[] {
  const { language } = context.site;
  const messages = adminMessages(language);
  const { refunded, disputed, forgiven, unreclaimed, creditedAt, isRealMoney } = topUp;
  const renderCode = (text: string | null) => (text === null ? '–' : html`<code>${text}</code>`);
  const toMoneyFact = (name: string, amount: bigint): readonly Fact[] =>
    amount === 0n ? [] : [[name, formatYuan(amount)]];
  return [
    [messages.condition, renderTopUpState(context, topUp)],
    [messages.id, renderCode(topUp.id)],
    [messages.account, html`<a href="/admin/accounts/${topUp.accountId}">${topUp.email}</a>`],
    [messages.amount, formatYuan(topUp.amount)],
    ...toMoneyFact(messages.refundedAtProvider, refunded),
    ...toMoneyFact(messages.heldBack, disputed),
    ...toMoneyFact(messages.forgiven, forgiven),
    ...toMoneyFact(messages.stillOwed, unreclaimed),
    [messages.begun, renderDateTime(context, topUp.begunAt)],
    ...(creditedAt === null
      ? []
      : ([[messages.credited, renderDateTime(context, creditedAt)]] as const)),
    [messages.syncedAt, renderDateTime(context, topUp.syncedAt)],
    [messages.session, renderCode(topUp.sessionId)],
    [messages.payment, renderCode(topUp.paymentIntent)],
    ...(isRealMoney === false ? ([[messages.note, messages.testMode]] as const) : []),
  ];
}
