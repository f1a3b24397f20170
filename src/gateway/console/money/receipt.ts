// The receipt of a credited top-up as a page to print. Refunds and disputes are part of it.

import { html } from '../../../kernel/html/html.ts';
import { noSuchPage } from '../../../kernel/web/form-handler.ts';
import { dateText } from '../../../kernel/web/format-time.ts';
import { moneyMessages } from '../messages/money.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { yuan } from './money-parts.ts';
import { paperHead } from './statement.ts';

export async function receiptPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { topUps, account, site } = context;
  const messages = statementMessages(site.language);
  const pageMessages = moneyMessages(site.language);
  const id = params.id ?? '';
  const topUp = /^tu_[0-9a-f]{24}$/.test(id) ? await topUps.find(id, account.id) : null;
  if (topUp === null || topUp.creditedAt === null) throw noSuchPage();
  const { amount, refunded, disputed, creditedAt, paymentIntent, sessionId, isRealMoney } = topUp;
  const payment = paymentIntent ?? sessionId;
  const title = messages.receiptOf(yuan(amount));
  return {
    kind: 'page',
    title,
    body: html`<article class="paper"><header><h1>${title}</h1>
${paperHead(context)}</header>
<section class="part"><dl class="facts"><dt>${messages.reference}</dt><dd><code>${id}</code></dd>
<dt>${messages.paidOn}</dt><dd>${dateText(site.language, creditedAt, null)}</dd>
${payment !== null && html`<dt>${messages.payment}</dt><dd><code>${payment}</code></dd>`}</dl>
<table class="list spaced"><thead><tr><th scope="col">${messages.purpose}</th>\
<th scope="col" class="number">${messages.amount}</th></tr></thead><tbody>
<tr><th scope="row">${messages.topUp}</th><td class="number">${yuan(amount)}</td></tr>
${
  refunded > 0n &&
  html`<tr><th scope="row">${messages.refunded}</th><td class="number">${yuan(-refunded)}</td></tr>`
}
${
  disputed > 0n &&
  html`<tr><th scope="row">${messages.disputed}</th><td class="number">${yuan(-disputed)}</td></tr>`
}</tbody><tfoot><tr><th scope="row">${messages.kept}</th>\
<td class="number">${yuan(amount - refunded - disputed)}</td></tr></tfoot></table>
${isRealMoney === false && html`<p class="meta spaced">${pageMessages.testMode}</p>`}
<p class="meta spaced">${messages.notTax}</p></section></article>
<p class="more"><a href="/console/top-up/${id}">${messages.toTopUp}</a></p>`,
  };
}
