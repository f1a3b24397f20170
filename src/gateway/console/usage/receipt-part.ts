// Renders the receipt of a relay call on the page of the call: price lines, attempts, and notes
// about the charge.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { formatLineAmount, type RelayReceipt } from '../../wallet/history/read-relay-receipt.ts';
import { classNameOf, type RelayMessages } from '../messages/relay.ts';
import { formatCount, formatYuan } from '../money/money-parts.ts';

export function renderReceipt(receipt: RelayReceipt, messages: RelayMessages): Html {
  const { lines, attempts } = receipt;
  if (lines.length === 0 && attempts.length === 0) return html``;
  return html`<section class="part"><h2>${messages.receipt}</h2>
${lines.length > 0 && renderLines(receipt, messages)}
${listNotes(receipt, messages).map((text) => html`<p class="meta spaced">${text}</p>`)}
${attempts.length > 0 && renderAttempts(receipt, messages)}</section>`;
}

function renderLines({ lines, charge }: RelayReceipt, messages: RelayMessages): Html {
  const columns = [
    { label: messages.tokenClass },
    { label: messages.tokens, isNumber: true },
    { label: messages.price, isNumber: true },
    { label: messages.amount, isNumber: true },
  ];
  const rows = lines.map((line) => [
    rowHeading(classNameOf(messages, line.class)),
    formatCount(line.tokens),
    formatYuan(line.price),
    `¥${formatLineAmount(line)}`,
  ]);
  const footer = [rowHeading(messages.total), '', '', formatYuan(charge)];
  return html`${renderListTable(columns, rows, { isTight: true, className: 'usage', footer })}
<p class="meta spaced">${messages.perMillion}</p>`;
}

function listNotes(receipt: RelayReceipt, messages: RelayMessages): readonly string[] {
  const { isCeilingApplied, shortfall, counted, cut, extended } = receipt;
  return [
    ...(isCeilingApplied ? [messages.ceiling] : []),
    ...(shortfall > 0n ? [messages.shortfall(formatYuan(shortfall))] : []),
    ...(counted === 'estimated' ? [messages.estimated] : []),
    ...(cut === null ? [] : [messages.cut]),
    ...(extended > 0n ? [messages.extended(formatYuan(extended))] : []),
  ];
}

const formatTokens = (tokens: number | undefined) =>
  tokens === undefined ? '–' : formatCount(tokens);

function renderAttempts({ attempts }: RelayReceipt, messages: RelayMessages): Html {
  return html`<h3 class="spaced">${messages.attempts}</h3>
${renderListTable(
  [
    { label: messages.model },
    { label: messages.upstream },
    { label: messages.result, isSelfExplanatory: true },
    { label: messages.input, isNumber: true },
    { label: messages.output, isNumber: true },
    { label: messages.tries, isNumber: true },
  ],
  attempts.map((attempt) => [
    rowHeading(attempt.model),
    attempt.upstream ?? '–',
    formatResult(attempt, messages),
    formatTokens(attempt.usage?.input),
    formatTokens(attempt.usage?.output),
    attempt.tries,
  ]),
)}`;
}

function formatResult(
  { failure, isContinuation }: RelayReceipt['attempts'][number],
  messages: RelayMessages,
): string {
  if (failure !== null) return messages.failures[failure] ?? failure;
  return isContinuation ? messages.continued : messages.responded;
}
