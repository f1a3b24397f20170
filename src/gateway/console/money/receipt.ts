// The receipt of a credited top-up as a page to print. The receipt includes refunds and disputes.

import { html } from '../../../kernel/html/html.ts';
import { pageNotFound } from '../../../kernel/web/form-handler.ts';
import { formatDate } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { moneyMessages } from '../messages/money.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { formatYuan } from './money-parts.ts';
import { renderPaperHead } from './statement.ts';
import { requireOwnTopUp } from './top-up.ts';

export async function receiptPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { site } = context;
  const messages = statementMessages(site.language);
  const pageMessages = moneyMessages(site.language);
  const id = params.id ?? '';
  const topUp = await requireOwnTopUp(context, id);
  if (topUp.creditedAt === null) throw pageNotFound();
  const { amount, refunded, disputed, creditedAt, paymentIntent, sessionId, isRealMoney } = topUp;
  const payment = paymentIntent ?? sessionId;
  const title = messages.receiptOf(formatYuan(amount));
  return {
    kind: 'page',
    title,
    body: html`<article class="paper"><header><h1>${title}</h1>
${renderPaperHead(context)}</header>
<section class="part"><dl class="facts"><dt>${messages.reference}</dt><dd><code>${id}</code></dd>
<dt>${messages.paidOn}</dt><dd>${formatDate(site.language, creditedAt, null)}</dd>
${payment !== null && html`<dt>${messages.payment}</dt><dd><code>${payment}</code></dd>`}</dl>
${renderListTable(
  [{ label: messages.purpose }, { label: messages.amount, isNumber: true }],
  [
    [rowHeading(messages.topUp), formatYuan(amount)],
    ...(refunded > 0n ? [[rowHeading(messages.refunded), formatYuan(-refunded)]] : []),
    ...(disputed > 0n ? [[rowHeading(messages.disputed), formatYuan(-disputed)]] : []),
  ],
  {
    className: 'spaced',
    footer: [rowHeading(messages.kept), formatYuan(amount - refunded - disputed)],
  },
)}
${isRealMoney === false && html`<p class="meta spaced">${pageMessages.testMode}</p>`}
<p class="meta spaced">${messages.notTax}</p></section></article>
<p class="more"><a href="/console/top-up/${id}">${messages.toTopUp}</a></p>`,
  };
}
