// One call: key, outcome, price calculation, and the response while it is stored.

import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { listKeys } from '../../keys/change-keys.ts';
import { readRelayReceipt } from '../../wallet/history/read-relay-receipt.ts';
import {
  type ExplainedCall,
  findExplainedCall,
  type StoredBody,
  voucherNames,
} from '../../wallet/history/read-statement.ts';
import { type MoneyWords, moneyWords } from '../messages/money.ts';
import { relayWords } from '../messages/relay.ts';
import { requestLogMessages } from '../messages/request-log.ts';
import { balanceName, capabilityName, yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { shownResult } from '../try/try-once.ts';
import { formattedResponse } from './answer-part.ts';
import { durationOf, outcomeOf } from './calls.ts';
import { receiptPart } from './receipt-part.ts';
import { repeatCall, requestPart } from './request-part.ts';

export async function callPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, account, livemode, site } = context;
  const words = moneyWords(site.language);
  const wallet = { accountId: account.id, livemode };
  const requestId = decoded(params.requestId ?? '');
  const found = await findExplainedCall(world, db, wallet, requestId);
  if (found === null) return absent(context, words);
  const { call, response: storedBody } = found;
  const receipt = await readRelayReceipt(db, { ...wallet, requestId });
  const key = (await listKeys(db, account.id)).find(({ id }) => id === call.keyId);
  const vouchers = await voucherNames(
    db,
    wallet,
    call.price.parts.map(({ balance }) => balance),
  );
  const keyName = key === undefined ? call.keyId : `${key.name} (${key.prefix}…${key.last4})`;
  return {
    kind: 'page',
    title: `${words.call} ${requestId}`,
    body: html`${pageHead(capabilityName(words, call.capability), requestId)}
<div class="two wide-side"><div>
${priceExplanation(call, vouchers, words)}
${await requestPart(context, call)}
${receipt !== null && receiptPart(receipt, relayWords(site.language))}
<section class="part"><h2>${words.answer}</h2>
${responseSection(call, storedBody, words)}</section>
</div><aside>
<h2 class="side">${words.call}</h2>
${facts(context, call, keyName)}
</aside></div>`,
  };
}

/** Result of a repeated call. */
export async function sendAgain(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const words = moneyWords(context.site.language);
  const { requestId, tried } = await repeatCall(context, request);
  const { resultOf } = requestLogMessages(context.site.language);
  return {
    kind: 'page',
    title: words.call,
    body: html`${pageHead(words.call, resultOf(requestId))}
${shownResult(context, tried, words)}
<p class="more"><a href="/console/calls/${requestId}">← ${requestId}</a></p>`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function absent(context: ConsoleContext, words: MoneyWords): ConsoleResponse {
  const mode = context.livemode ? context.words.live : context.words.test;
  return {
    kind: 'page',
    status: 404,
    title: words.call,
    body: html`${pageHead(words.noCall, words.noCallAbout(mode))}
<p class="more"><a href="/console/calls">${words.calls}</a></p>`,
  };
}

function facts({ site }: ConsoleContext, call: ExplainedCall, keyName: string): Html {
  const words = moneyWords(site.language);
  const { openedAt, completedAt, idempotencyKey, maxCharge, status } = call;
  return html`<dl class="facts stacked"><dt>${words.outcome}</dt><dd>${outcomeOf(call, words)}</dd>
${status !== null && html`<dt>${words.status}</dt><dd>${status}</dd>`}
<dt>${words.started}</dt><dd>${dateTime(site.language, openedAt)}</dd>
<dt>${words.ended}</dt><dd>${
    completedAt === null
      ? words.stillRuns
      : html`${dateTime(site.language, completedAt)} (${durationOf(call)})`
  }</dd>
<dt>${words.key}</dt><dd>${keyName}</dd>
<dt>${words.idempotencyKey}</dt><dd>${
    idempotencyKey === null ? words.none : html`<code>${idempotencyKey}</code>`
  }</dd>
${maxCharge !== null && html`<dt>${words.maxCharge}</dt><dd>${yuan(maxCharge)}</dd>`}</dl>`;
}

function priceExplanation(
  call: ExplainedCall,
  vouchers: ReadonlyMap<string, string>,
  words: MoneyWords,
): Html {
  return html`<section><h2>${words.why}</h2>
<p class="explains">${describeOutcome(call, words)}</p>
${call.price.parts.length > 0 && parts(call, vouchers, words)}</section>`;
}

/** One sentence: unit price, number of units, total, and price list. */
function describeOutcome({ price, outcome }: ExplainedCall, words: MoneyWords): string {
  const { charged, held, unit, unitPrice, quantity, version } = price;
  if (held === 0n && (charged ?? 0n) === 0n) return words.whyFree;
  if (outcome === 'running') return words.whyRuns;
  if (charged === null) return words.whyFailed;
  if (charged === 0n) return words.whyNothing;
  const each = words.perUnit[unit](yuan(unitPrice));
  return words.whyPaid(each, words.quantityOf[unit](quantity), yuan(charged), version);
}

function parts(
  { price }: ExplainedCall,
  vouchers: ReadonlyMap<string, string>,
  words: MoneyWords,
): Html {
  const amount = (value: bigint | null) => (value === null ? '–' : yuan(value));
  const columns = [words.heldOf, words.chargedOf, words.releasedOf];
  const row = (name: string, values: readonly string[]) =>
    html`<tr><th scope="row">${name}</th>${values.map(
      (value, at) => html`<td class="number" data-label="${columns[at]}">${value}</td>`,
    )}</tr>
`;
  return html`<div class="scroll"><table class="list tight usage stacks"><thead><tr>\
<th scope="col">${words.source}</th>\
${columns.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>
${price.parts.map((part) =>
  row(balanceName(part.balance, words, vouchers), [
    yuan(part.amount),
    amount(part.charged),
    amount(part.released),
  ]),
)}</tbody><tfoot>${row(words.total, [
    yuan(price.held),
    amount(price.charged),
    yuan(price.released),
  ])}</tfoot></table></div>
${price.released > 0n && html`<p class="meta spaced">${words.releasedAbout}</p>`}`;
}

function responseSection(
  call: ExplainedCall,
  response: StoredBody | null,
  words: MoneyWords,
): Html {
  if (response !== null) return formattedResponse(response, words);
  return html`<p class="explains">${
    call.outcome === 'succeeded' ? words.answerGone : words.answerNone
  }</p>`;
}
