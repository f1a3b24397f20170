// The receipt of a relay call on its page: lines, attempts, and what limited the charge.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatLineAmount, type RelayReceipt } from '../../wallet/history/read-relay-receipt.ts';
import type { RelayWords } from '../messages/relay.ts';
import { grouped, yuan } from '../money/money-parts.ts';

export function receiptPart(receipt: RelayReceipt, words: RelayWords): Html {
  const { lines, attempts } = receipt;
  if (lines.length === 0 && attempts.length === 0) return html``;
  return html`<section class="part"><h2>${words.receipt}</h2>
${lines.length > 0 && linesTable(receipt, words)}
${remarks(receipt, words).map((text) => html`<p class="meta spaced">${text}</p>`)}
${attempts.length > 0 && attemptsTable(receipt, words)}</section>`;
}

function linesTable({ lines, charge }: RelayReceipt, words: RelayWords): Html {
  return html`<div class="scroll"><table class="list tight usage stacks"><thead><tr>\
<th scope="col">${words.tokenClass}</th><th scope="col" class="number">${words.tokens}</th>\
<th scope="col" class="number">${words.price}</th>\
<th scope="col" class="number">${words.amount}</th></tr></thead><tbody>
${lines.map(
  (line) => html`<tr><th scope="row">${words.classes[line.class] ?? line.class}</th>\
<td class="number" data-label="${words.tokens}">${grouped(line.tokens)}</td>\
<td class="number" data-label="${words.price}">${yuan(line.price)}</td>\
<td class="number" data-label="${words.amount}">¥${formatLineAmount(line)}</td></tr>
`,
)}</tbody><tfoot><tr><th scope="row">${words.total}</th><td></td><td></td>\
<td class="number" data-label="${words.amount}">${yuan(charge)}</td></tr></tfoot></table></div>
<p class="meta">${words.perMillion}</p>`;
}

function remarks(receipt: RelayReceipt, words: RelayWords): readonly string[] {
  const { isCeilingApplied, shortfall, counted, cut, extended } = receipt;
  return [
    ...(isCeilingApplied ? [words.ceiling] : []),
    ...(shortfall > 0n ? [words.shortfall(yuan(shortfall))] : []),
    ...(counted === 'estimated' ? [words.estimated] : []),
    ...(cut === null ? [] : [words.cut]),
    ...(extended > 0n ? [words.extended(yuan(extended))] : []),
  ];
}

function attemptsTable({ attempts }: RelayReceipt, words: RelayWords): Html {
  return html`<h3>${words.attempts}</h3>
<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${words.model}</th><th scope="col">${words.upstream}</th>\
<th scope="col">${words.result}</th>\
<th scope="col" class="number">${words.tries}</th></tr></thead><tbody>
${attempts.map(
  ({ model, upstream, failure, tries, isContinuation }) => html`<tr><th scope="row">${model}</th>\
<td data-label="${words.upstream}">${upstream ?? '–'}</td><td>${
    failure !== null
      ? (words.failures[failure] ?? failure)
      : isContinuation
        ? words.continued
        : words.responded
  }</td><td class="number" data-label="${words.tries}">${tries}</td></tr>
`,
)}</tbody></table></div>`;
}
