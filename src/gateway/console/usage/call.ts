// The page of one call: key, outcome, price calculation, and the response while it is stored.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { listKeys } from '../../keys/change-keys.ts';
import { type RelayReceipt, readRelayReceipt } from '../../wallet/history/read-relay-receipt.ts';
import {
  type ExplainedCall,
  findExplainedCall,
  readVoucherNames,
  type StoredBody,
} from '../../wallet/history/read-statement.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { relayMessages } from '../messages/relay.ts';
import { requestLogMessages } from '../messages/request-log.ts';
import {
  capabilityName,
  describeCharge,
  formatBalanceName,
  formatYuan,
} from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderResult } from '../try/try-once.ts';
import { formatDuration, renderOutcome } from './calls.ts';
import { renderReceipt } from './receipt-part.ts';
import { renderRequest, repeatCall } from './request-part.ts';
import { renderResponse } from './response-part.ts';

export async function callPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, account, livemode, site } = context;
  const messages = moneyMessages(site.language);
  const wallet = { accountId: account.id, livemode };
  const requestId = decodePercent(params.requestId ?? '');
  const explainedCall = await findExplainedCall(world, db, wallet, requestId);
  if (explainedCall === null) return renderMissingCall(context, messages);
  const { call, response: storedBody } = explainedCall;
  const receipt = await readRelayReceipt(db, { ...wallet, requestId });
  const key = (await listKeys(db, account.id)).find(({ id }) => id === call.keyId);
  const vouchers = await readVoucherNames(
    db,
    wallet,
    call.price.parts.map(({ balance }) => balance),
  );
  const keyName = key === undefined ? call.keyId : `${key.name} (${key.prefix}…${key.last4})`;
  return {
    kind: 'page',
    title: `${messages.call} ${requestId}`,
    body: html`${renderPageHead(capabilityName(messages, call.capability), requestId)}
<div class="two wide-side"><div>
${renderPriceExplanation(call, vouchers, messages)}
${await renderRequest(context, call)}
${receipt !== null && renderReceipt(receipt, relayMessages(site.language))}
${!isUsageOnly(receipt, storedBody) && renderResponsePart(call, storedBody, messages)}
</div><aside>
<h2 class="side">${messages.call}</h2>
${renderCallFacts(context, call, keyName)}
</aside></div>`,
  };
}

/** Repeats a call and shows its result. */
export async function sendAgain(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const messages = moneyMessages(context.site.language);
  const { requestId, tryResult } = await repeatCall(context, request);
  const { resultOf } = requestLogMessages(context.site.language);
  return {
    kind: 'page',
    title: messages.call,
    body: html`${renderPageHead(messages.call, resultOf(requestId))}
${renderResult(context, tryResult, messages)}
<p class="more"><a href="/console/calls/${requestId}">← ${requestId}</a></p>`,
  };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function renderMissingCall(context: ConsoleContext, messages: MoneyMessages): ConsoleResponse {
  const mode = context.livemode ? context.messages.live : context.messages.test;
  return {
    kind: 'page',
    status: 404,
    title: messages.call,
    body: html`${renderPageHead(messages.noCall, messages.noCallAbout(mode))}
<p class="more"><a href="/console/calls">${messages.calls}</a></p>`,
  };
}

function renderCallFacts(
  { site, world }: ConsoleContext,
  call: ExplainedCall,
  keyName: string,
): Html {
  const messages = moneyMessages(site.language);
  const { openedAt, completedAt, idempotencyKey, maxCharge, status } = call;
  return html`<dl class="facts stacked"><dt>${messages.outcome}</dt><dd>\
${renderOutcome(call, messages)}</dd>
${status !== null && html`<dt>${messages.status}</dt><dd>${status}</dd>`}
<dt>${messages.started}</dt><dd>${renderDateTime({ site, world }, openedAt)}</dd>
<dt>${messages.ended}</dt><dd>${
    completedAt === null
      ? messages.stillRuns
      : html`${renderDateTime({ site, world }, completedAt)} (${formatDuration(call)})`
  }</dd>
<dt>${messages.key}</dt><dd>${keyName}</dd>
<dt>${messages.idempotencyKey}</dt><dd>${
    idempotencyKey === null ? messages.none : html`<code>${idempotencyKey}</code>`
  }</dd>
${maxCharge !== null && html`<dt>${messages.maxCharge}</dt><dd>${formatYuan(maxCharge)}</dd>`}\
</dl>`;
}

function renderPriceExplanation(
  call: ExplainedCall,
  vouchers: ReadonlyMap<string, string>,
  messages: MoneyMessages,
): Html {
  return html`<section><h2>${messages.why}</h2>
<p class="explains">${describeOutcome(call, messages)}</p>
${call.price.parts.length > 0 && renderParts(call, vouchers, messages)}</section>`;
}

function describeOutcome({ price, outcome }: ExplainedCall, messages: MoneyMessages): string {
  const { charged, held } = price;
  if (held === 0n && (charged ?? 0n) === 0n) return messages.whyFree;
  if (outcome === 'running') return messages.whyRuns;
  if (charged === null) return messages.whyFailed;
  if (charged === 0n) return messages.whyNothing;
  return describeCharge(price, charged, messages);
}

function renderParts(
  { price }: ExplainedCall,
  vouchers: ReadonlyMap<string, string>,
  messages: MoneyMessages,
): Html {
  const formatAmount = (value: bigint | null) => (value === null ? '–' : formatYuan(value));
  const columns = [
    { label: messages.source },
    { label: messages.heldOf, isNumber: true },
    { label: messages.chargedOf, isNumber: true },
    { label: messages.releasedOf, isNumber: true },
  ];
  const rows = price.parts.map((part) => [
    rowHeading(formatBalanceName(part.balance, messages, vouchers)),
    formatYuan(part.amount),
    formatAmount(part.charged),
    formatAmount(part.released),
  ]);
  const footer = [
    rowHeading(messages.total),
    formatYuan(price.held),
    formatAmount(price.charged),
    formatYuan(price.released),
  ];
  return html`${renderListTable(columns, rows, { isTight: true, className: 'usage', footer })}
${price.released > 0n && html`<p class="meta spaced">${messages.releasedAbout}</p>`}`;
}

/** Whether the stored body contains only the usage of a relay call, which the receipt shows. */
const isUsageOnly = (receipt: RelayReceipt | null, response: StoredBody | null) =>
  receipt !== null &&
  response?.body.includes('"object":"chat.completion.') === true &&
  !response.body.includes('"choices"');

function renderResponsePart(
  call: ExplainedCall,
  response: StoredBody | null,
  messages: MoneyMessages,
): Html {
  const reason = call.outcome === 'running' ? messages.answerNone : messages.answerGone;
  const content =
    response === null
      ? html`<p class="explains">${reason}</p>`
      : renderResponse(response, messages);
  return html`<section class="part"><h2>${messages.answer}</h2>
${content}</section>`;
}
