// The receipt of a relay call on its page: lines, attempts, and what limited the charge.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatLineAmount, type RelayReceipt } from '../../wallet/history/read-relay-receipt.ts';
import { classNameOf, type RelayMessages } from '../messages/relay.ts';
import { grouped, yuan } from '../money/money-parts.ts';

export function receiptPart(receipt: RelayReceipt, messages: RelayMessages): Html {
  const { lines, attempts } = receipt;
  if (lines.length === 0 && attempts.length === 0) return html``;
  return html`<section class="part"><h2>${messages.receipt}</h2>
${lines.length > 0 && linesTable(receipt, messages)}
${receiptNotes(receipt, messages).map((text) => html`<p class="meta spaced">${text}</p>`)}
${attempts.length > 0 && attemptsTable(receipt, messages)}</section>`;
}

function linesTable({ lines, charge }: RelayReceipt, messages: RelayMessages): Html {
  return html`<div class="scroll"><table class="list tight usage stacks"><thead><tr>\
<th scope="col">${messages.tokenClass}</th><th scope="col" class="number">${messages.tokens}</th>\
<th scope="col" class="number">${messages.price}</th>\
<th scope="col" class="number">${messages.amount}</th></tr></thead><tbody>
${lines.map(
  (line) => html`<tr><th scope="row">${classNameOf(messages, line.class)}</th>\
<td class="number" data-label="${messages.tokens}">${grouped(line.tokens)}</td>\
<td class="number" data-label="${messages.price}">${yuan(line.price)}</td>\
<td class="number" data-label="${messages.amount}">¥${formatLineAmount(line)}</td></tr>
`,
)}</tbody><tfoot><tr><th scope="row">${messages.total}</th><td></td><td></td>\
<td class="number" data-label="${messages.amount}">${yuan(charge)}</td></tr></tfoot></table></div>
<p class="meta spaced">${messages.perMillion}</p>`;
}

function receiptNotes(receipt: RelayReceipt, messages: RelayMessages): readonly string[] {
  const { isCeilingApplied, shortfall, counted, cut, extended } = receipt;
  return [
    ...(isCeilingApplied ? [messages.ceiling] : []),
    ...(shortfall > 0n ? [messages.shortfall(yuan(shortfall))] : []),
    ...(counted === 'estimated' ? [messages.estimated] : []),
    ...(cut === null ? [] : [messages.cut]),
    ...(extended > 0n ? [messages.extended(yuan(extended))] : []),
  ];
}

const countOf = (tokens: number | undefined) => (tokens === undefined ? '–' : grouped(tokens));

function attemptsTable({ attempts }: RelayReceipt, messages: RelayMessages): Html {
  return html`<h3 class="spaced">${messages.attempts}</h3>
<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${messages.model}</th><th scope="col">${messages.upstream}</th>\
<th scope="col">${messages.result}</th>\
<th scope="col" class="number">${messages.input}</th>\
<th scope="col" class="number">${messages.output}</th>\
<th scope="col" class="number">${messages.tries}</th></tr></thead><tbody>
${attempts.map(
  ({
    model,
    upstream,
    failure,
    tries,
    isContinuation,
    usage,
  }) => html`<tr><th scope="row">${model}</th>\
<td data-label="${messages.upstream}">${upstream ?? '–'}</td><td>${
    failure !== null
      ? (messages.failures[failure] ?? failure)
      : isContinuation
        ? messages.continued
        : messages.responded
  }</td><td class="number" data-label="${messages.input}">${countOf(usage?.input)}</td>\
<td class="number" data-label="${messages.output}">${countOf(usage?.output)}</td>\
<td class="number" data-label="${messages.tries}">${tries}</td></tr>
`,
)}</tbody></table></div>`;
}
