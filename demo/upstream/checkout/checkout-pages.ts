// Renders the customer's pages of the checkout. They say that this is a demonstration without real
// money.

import { type Assets, openAssets } from '../../../src/kernel/html/assets.ts';
import { type Html, html } from '../../../src/kernel/html/html.ts';
import { renderPage } from '../../../src/kernel/html/page.ts';
import { refundedOf, type Session } from './checkout-state.ts';
import { webhookFaults } from './send-webhooks.ts';

const kernelAssets = new URL('../../../src/kernel/html/assets/', import.meta.url);

export const checkoutAssets: Assets = openAssets({
  'serif.woff2': new URL('serif.woff2', kernelAssets),
  'icon.svg': new URL('icon.svg', kernelAssets),
  'page.css': new URL('page.css', kernelAssets),
  'checkout.css': new URL('checkout.css', import.meta.url),
});

const messages = {
  en: {
    label: 'Demonstration checkout',
    title: (amount: string) => `Pay ${amount}`,
    explanation:
      'This page replaces the page of a payment provider. No money moves, and no card is needed.',
    purpose: 'For',
    amount: 'Amount',
    reference: 'Reference',
    pay: 'Pay now',
    slow: 'Pay by bank, arrives in a moment',
    slowFails: 'Pay by bank, and it fails',
    decline: 'Decline the card',
    cancel: 'Go back without paying',
    declined: 'The card was declined. Nothing was paid; you can try again.',
    faultLabel: 'How the provider notifies the gateway',
    faults: {
      none: 'As usual',
      double: 'Twice, at the same time',
      late: 'Half a minute late',
      backwards: 'The last event first',
      forged: 'With a wrong signature',
      stale: 'With an old signature',
      silent: 'Not at all',
    },
    ended: 'This checkout has ended',
    endedReason: 'It has expired, or its payment failed. Nothing more happens here.',
    back: 'Back to the shop',
    payments: 'Payments',
    paymentsExplanation: 'Open one to refund it, or to dispute it as the customer’s bank.',
    noPayments: 'There are no payments yet.',
    paid: (amount: string) => `${amount} paid`,
    paidExplanation: 'The merchant can still refund it, and the bank can dispute it.',
    refunded: 'Refunded',
    disputed: 'Disputes',
    none: 'none',
    refundHalf: 'Refund half',
    refundAll: 'Refund all',
    refundFails: 'The last refund does not arrive',
    inquiry: 'The bank asks about it',
    dispute: 'The customer disputes it',
    won: 'The bank decides for the merchant',
    lost: 'The bank decides for the customer',
    statuses: {
      warning_needs_response: 'an inquiry, waits for an answer',
      warning_under_review: 'an inquiry, under review',
      warning_closed: 'an inquiry, closed',
      needs_response: 'waits for an answer',
      under_review: 'under review',
      won: 'decided for the merchant',
      lost: 'decided for the customer',
    },
  },
  zh: {
    label: '演示收银台',
    title: (amount: string) => `支付 ${amount}`,
    explanation: '此页面代替支付服务商的收银台。不会产生真实扣款，也不需要银行卡。',
    purpose: '用途',
    amount: '金额',
    reference: '编号',
    pay: '立即支付',
    slow: '银行转账，稍后到账',
    slowFails: '银行转账，最终失败',
    decline: '模拟银行卡被拒',
    cancel: '不支付，返回',
    declined: '银行卡被拒，没有扣款，可以重试。',
    faultLabel: '服务商如何通知网关',
    faults: {
      none: '正常通知',
      double: '同时通知两次',
      late: '晚半分钟通知',
      backwards: '后发的事件先到',
      forged: '签名错误',
      stale: '签名过期',
      silent: '完全不通知',
    },
    ended: '此收银台已结束',
    endedReason: '它已过期或付款失败，这里不会再发生任何事。',
    back: '返回商户',
    paid: (amount: string) => `已支付 ${amount}`,
    paidExplanation: '商户仍可退款，银行仍可提出争议。',
    refunded: '已退款',
    disputed: '争议',
    none: '无',
    refundHalf: '退款一半',
    refundAll: '全额退款',
    refundFails: '最近一笔退款未能到账',
    inquiry: '银行查询此笔付款',
    dispute: '顾客提出争议',
    won: '银行裁定商户有理',
    lost: '银行裁定顾客有理',
    statuses: {
      warning_needs_response: '查询，等待答复',
      warning_under_review: '查询，审核中',
      warning_closed: '查询，已结束',
      needs_response: '等待答复',
      under_review: '审核中',
      won: '商户胜诉',
      lost: '顾客胜诉',
    },
  },
} as const;

type CheckoutMessages = (typeof messages)['en' | 'zh'];

const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;

const button = (name: string, label: string, isQuiet: boolean): Html =>
  html`<button name="act" value="${name}"${isQuiet && html` class="quiet"`}>${label}</button>`;

function faultField(text: CheckoutMessages): Html {
  return html`<div class="field"><label for="fault">${text.faultLabel}</label>
<select id="fault" name="fault"><option value="">${text.faults.none}</option>\
${webhookFaults.map((fault) => html`<option value="${fault}">${text.faults[fault]}</option>`)}\
</select></div>`;
}

const messagesFor = ({ locale }: Session): CheckoutMessages =>
  locale.startsWith('zh') ? messages.zh : messages.en;

export function renderPayPage(session: Session, { isDeclined = false } = {}): string {
  const text = messagesFor(session);
  const amount = yuan(session.amount);
  if (session.paid === 'paid') return renderPaidPage(session, text);
  if (session.status !== 'open') return renderEndedPage(session, text);
  return renderLayout(session, {
    title: text.title(amount),
    body: html`<p class="explains">${text.explanation}</p>
${isDeclined && html`<div class="notice negative" role="alert"><p>${text.declined}</p></div>`}
<dl class="facts"><dt>${text.purpose}</dt><dd>${session.product}</dd>
<dt>${text.amount}</dt><dd class="number">${amount} CNY</dd>
<dt>${text.reference}</dt><dd><code>${session.reference ?? session.id}</code></dd></dl>
<form method="post" action="/pay/${session.id}" class="checkout">
<div class="acts">${button('pay', text.pay, false)}${button('cancel', text.cancel, true)}</div>
<div class="acts">${button('decline', text.decline, true)}${button('slow', text.slow, true)}\
${button('slow-fails', text.slowFails, true)}</div>
${faultField(text)}
</form>`,
  });
}

/** A payment, with buttons for refunds and disputes. */
function renderPaidPage(session: Session, text: CheckoutMessages): string {
  const { refunds = [], disputes = [] } = session.payment ?? {};
  const disputeLines = disputes.map(
    ({ amount, status }) => `${yuan(amount)}: ${text.statuses[status]}`,
  );
  return renderLayout(session, {
    title: text.paid(yuan(session.amount)),
    body: html`<p class="explains">${text.paidExplanation}</p>
<dl class="facts"><dt>${text.refunded}</dt><dd class="number">${yuan(refundedOf(session))}</dd>
<dt>${text.disputed}</dt><dd>${disputeLines.length === 0 ? text.none : disputeLines.join('; ')}</dd>
<dt>${text.reference}</dt><dd><code>${session.reference ?? session.id}</code></dd></dl>
<form method="post" action="/pay/${session.id}" class="checkout">
<div class="acts">${button('refund-half', text.refundHalf, true)}\
${button('refund', text.refundAll, true)}\
${refunds.length > 0 && button('refund-fails', text.refundFails, true)}</div>
<div class="acts">${button('inquiry', text.inquiry, true)}${button('dispute', text.dispute, true)}\
${button('won', text.won, true)}${button('lost', text.lost, true)}</div>
${faultField(text)}
</form>
<p><a class="button" href="${session.successUrl}">${text.back}</a></p>`,
  });
}

/** List of payments, from which a user of the demonstration can refund or dispute one. */
export function renderPaymentsPage(sessions: readonly Session[]): string {
  const newestSessions = sessions.toReversed();
  const { label, noPayments, paymentsExplanation, payments } = messages.en;
  return renderLayout(null, {
    title: payments,
    body: html`<p class="explains">${paymentsExplanation}</p>
${
  newestSessions.length === 0
    ? html`<p class="empty">${noPayments}</p>`
    : html`<ul aria-label="${label}">${newestSessions.map(
        ({ id, amount, paid, status, product }) =>
          html`<li><a href="/pay/${id}">${yuan(amount)}</a> ${product}
<span class="meta">${paid === 'paid' ? paid : status}</span></li>
`,
      )}</ul>`
}`,
  });
}

function renderEndedPage(session: Session, text: CheckoutMessages): string {
  return renderLayout(session, {
    title: text.ended,
    body: html`<p class="explains">${text.endedReason}</p>
<p><a class="button" href="${session.successUrl}">${text.back}</a></p>`,
  });
}

function renderLayout(session: Session | null, page: { title: string; body: Html }): string {
  const { title, body } = page;
  const text = session === null ? messages.en : messagesFor(session);
  return renderPage({
    language: text === messages.zh ? 'zh-CN' : 'en',
    title: `${title} · ${text.label}`,
    siteName: text.label,
    description: null,
    canonical: null,
    image: null,
    alternates: [],
    scripts: [],
    icon: checkoutAssets.path('icon.svg'),
    stylesheets: [checkoutAssets.path('page.css'), checkoutAssets.path('checkout.css')],
    preloads: [checkoutAssets.path('serif.woff2')],
    body: html`<main id="main" class="checkout"><p class="label">${text.label}</p>
<h1>${title}</h1>
${body}</main>`,
  });
}
