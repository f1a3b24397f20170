// The pages that a customer meets at the checkout: in the house's own design, and saying plainly
// that this is a demonstration and nobody's money.

import { type Assets, openAssets } from '../../../src/kernel/html/assets.ts';
import { type Html, html } from '../../../src/kernel/html/html.ts';
import { renderPage } from '../../../src/kernel/html/page.ts';
import type { Session } from './checkout-books.ts';
import { webhookMoods } from './send-webhooks.ts';

const kernelAssets = new URL('../../../src/kernel/html/assets/', import.meta.url);

export const checkoutAssets: Assets = openAssets({
  'serif.woff2': new URL(
    import.meta.resolve(
      '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
    ),
  ),
  'icon.svg': new URL('icon.svg', kernelAssets),
  'page.css': new URL('page.css', kernelAssets),
  'checkout.css': new URL('checkout.css', import.meta.url),
});

const words = {
  en: {
    label: 'Demonstration checkout',
    title: (amount: string) => `Pay ${amount}`,
    explains:
      'This page stands in for a payment provider’s. No money moves and no card is asked for.',
    to: 'For',
    amount: 'Amount',
    reference: 'Reference',
    pay: 'Pay now',
    slow: 'Pay by bank, arrives in a moment',
    slowFails: 'Pay by bank, and it fails',
    decline: 'Have the card declined',
    cancel: 'Go back without paying',
    declined: 'The card was declined. Nothing was paid; you can try again.',
    badly: 'How the provider tells the gateway',
    moods: {
      well: 'As it should',
      double: 'Twice, at the same time',
      late: 'Half a minute late',
      backwards: 'The last event first',
      forged: 'With a wrong signature',
      stale: 'With an old signature',
      silent: 'Not at all',
    },
    over: 'This checkout is over',
    overBecause: 'It was paid or has expired. Nothing more happens here.',
    back: 'Back to the shop',
  },
  zh: {
    label: '演示收银台',
    title: (amount: string) => `支付 ${amount}`,
    explains: '此页面代替支付服务商的收银台。不会产生真实扣款，也不需要银行卡。',
    to: '用途',
    amount: '金额',
    reference: '编号',
    pay: '立即支付',
    slow: '银行转账，稍后到账',
    slowFails: '银行转账，最终失败',
    decline: '模拟银行卡被拒',
    cancel: '不支付，返回',
    declined: '银行卡被拒，没有扣款，可以重试。',
    badly: '服务商如何通知网关',
    moods: {
      well: '正常通知',
      double: '同时通知两次',
      late: '晚半分钟通知',
      backwards: '后发的事件先到',
      forged: '签名错误',
      stale: '签名过期',
      silent: '完全不通知',
    },
    over: '此收银台已结束',
    overBecause: '它已支付或已过期，这里不会再发生任何事。',
    back: '返回商户',
  },
} as const;

type Words = (typeof words)['en' | 'zh'];

const wordsOf = ({ locale }: Session): Words => (locale.startsWith('zh') ? words.zh : words.en);

export function payPage(session: Session, { isDeclined = false } = {}): string {
  const say = wordsOf(session);
  const amount = `¥${(session.amount / 100).toFixed(2)}`;
  const act = (name: string, label: string, kind: string) =>
    html`<button name="act" value="${name}"${kind !== '' && html` class="${kind}"`}>\
${label}</button>`;
  if (session.status !== 'open') return overPage(session, say);
  return framed(session, {
    title: say.title(amount),
    body: html`<p class="explains">${say.explains}</p>
${isDeclined && html`<div class="notice negative" role="alert"><p>${say.declined}</p></div>`}
<dl class="facts"><dt>${say.to}</dt><dd>${session.product}</dd>
<dt>${say.amount}</dt><dd class="number">${amount} CNY</dd>
<dt>${say.reference}</dt><dd><code>${session.reference ?? session.id}</code></dd></dl>
<form method="post" action="/pay/${session.id}" class="checkout">
<div class="acts">${act('pay', say.pay, '')}${act('cancel', say.cancel, 'quiet')}</div>
<div class="acts">${act('decline', say.decline, 'quiet')}${act('slow', say.slow, 'quiet')}\
${act('slow-fails', say.slowFails, 'quiet')}</div>
<div class="field"><label for="mood">${say.badly}</label>
<select id="mood" name="mood"><option value="">${say.moods.well}</option>\
${webhookMoods.map((mood) => html`<option value="${mood}">${say.moods[mood]}</option>`)}\
</select></div>
</form>`,
  });
}

function overPage(session: Session, say: Words): string {
  return framed(session, {
    title: say.over,
    body: html`<p class="explains">${say.overBecause}</p>
<p><a class="button" href="${session.successUrl}">${say.back}</a></p>`,
  });
}

function framed(session: Session, { title, body }: { title: string; body: Html }): string {
  const say = wordsOf(session);
  return renderPage({
    language: say === words.zh ? 'zh-CN' : 'en',
    title: `${title} · ${say.label}`,
    siteName: say.label,
    ...{ description: null, canonical: null, picture: null, alternates: [], scripts: [] },
    icon: checkoutAssets.path('icon.svg'),
    stylesheets: [checkoutAssets.path('page.css'), checkoutAssets.path('checkout.css')],
    preloads: [checkoutAssets.path('serif.woff2')],
    body: html`<main id="main" class="door checkout"><p class="label">${say.label}</p>
<h1>${title}</h1>
${body}</main>`,
  });
}
