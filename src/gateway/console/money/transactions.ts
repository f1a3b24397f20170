// Lists all money movements of the wallet by day. A call shows the reason for its price, the
// balances that paid it and the released part of its hold.

import { type Html, html } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDayHeading, renderClockTime } from '../../../kernel/web/format-time.ts';
import {
  type Entry,
  type ExplainedCall,
  readStatement,
  readVoucherNames,
  type StatementLine,
} from '../../wallet/history/read-statement.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import {
  capabilityName,
  describeCharge,
  formatBalanceName,
  formatSignedYuan,
  formatYuan,
  renderPager,
  toAddress,
  withoutParameter,
} from './money-parts.ts';

const PATH = '/console/transactions';
const PAGE_SIZE = 50;

type StatementView = {
  readonly context: ConsoleContext;
  readonly messages: MoneyMessages;
  /** Names of vouchers by their balances. */
  readonly vouchers: ReadonlyMap<string, string>;
};

export async function transactionsPage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, livemode, site } = context;
  const messages = moneyMessages(site.language);
  const { statements } = statementMessages(site.language);
  const wallet = { accountId: account.id, livemode };
  const filterName = query.get('show');
  const selectedFilter = (['calls', 'money'] as const).find((filter) => filter === filterName);
  const filter = { limit: PAGE_SIZE, only: selectedFilter };
  const page = await readStatement(db, wallet, { ...filter, cursor: query.get('cursor') });
  const loadFirstPage = async () =>
    (await readStatement(db, wallet, { ...filter, cursor: null })) ?? emptyPage;
  const { lines, nextCursor } = page ?? (await loadFirstPage());
  const view = {
    context,
    messages,
    vouchers: await readVoucherNames(db, wallet, collectBalances(lines)),
  };
  return {
    kind: 'page',
    title: messages.transactions,
    body: html`${renderPageHead(
      messages.transactions,
      messages.transactionsAbout,
      html`<a class="button quiet" href="/console/statements">${statements}</a>`,
    )}
${page === null && html`<p class="notice">${messages.invalidCursor}</p>`}
${renderChoices(query, selectedFilter ?? 'all', messages)}
${lines.length === 0 && html`<div class="empty"><p>${messages.noTransactions}</p></div>`}
${groupByDay(lines).map((day) => renderDay(view, day))}
${renderPager(messages, { path: PATH, query, nextCursor })}`,
  };
}

const emptyPage = { lines: [], nextCursor: null };

function renderChoices(query: URLSearchParams, current: string, messages: MoneyMessages): Html {
  const otherParameters = withoutParameter(withoutParameter(query, 'cursor'), 'show');
  const renderLink = (name: 'all' | 'calls' | 'money') => {
    const linkQuery = new URLSearchParams(otherParameters);
    if (name !== 'all') linkQuery.set('show', name);
    const isSelected = name === current && html` aria-current="true"`;
    return html`<li><a href="${toAddress(PATH, linkQuery)}"${isSelected}>\
${messages.show[name]}</a></li>`;
  };
  return html`<nav class="filters" aria-label="${messages.filter}"><ul>\
${(['all', 'calls', 'money'] as const).map(renderLink)}</ul></nav>`;
}

function collectBalances(lines: readonly StatementLine[]): readonly string[] {
  return lines.flatMap((transaction) =>
    transaction.kind === 'call'
      ? transaction.call.price.parts.map(({ balance }) => balance)
      : transaction.entry.moves.flatMap(({ source, target }) => [source, target]),
  );
}

function groupByDay(lines: readonly StatementLine[]): readonly (readonly StatementLine[])[] {
  const days = new Map<string, StatementLine[]>();
  for (const transaction of lines) {
    const { day } = shanghaiDay(transaction.at);
    days.set(day, [...(days.get(day) ?? []), transaction]);
  }
  return [...days.values()];
}

function renderDay(view: StatementView, lines: readonly StatementLine[]): Html {
  const { site, world } = view.context;
  const heading = formatDayHeading(site.language, lines[0]?.at ?? 0, world.clock.now());
  return html`<section class="day"><h2>${heading}</h2>
${lines.map((transaction) =>
  transaction.kind === 'call'
    ? renderCallLine(view, transaction.call)
    : renderEntryLine(view, transaction.entry),
)}</section>
`;
}

type Line = {
  readonly at: number;
  readonly description: Html;
  readonly amount: Html;
  readonly notes: readonly Html[];
};

function renderLine({ at, description, amount, notes }: Line): Html {
  return html`<article class="entry money">${renderClockTime(at)}
<div><h3>${description}</h3>${notes.map((note) => html`<p class="meta">${note}</p>`)}</div>
<p class="amount">${amount}</p></article>
`;
}

function renderCallLine(view: StatementView, call: ExplainedCall): Html {
  const { messages } = view;
  const { price, outcome } = call;
  const balanceText = (balance: string) => formatBalanceName(balance, messages, view.vouchers);
  const charge = price.charged ?? 0n;
  const sentence =
    charge > 0n ? describeCharge(price, charge, messages) : describeNoCharge(call, messages);
  const renderSpans = (texts: readonly string[]) =>
    html`${texts.map((text) => html`<span>${text}</span>`)}`;
  const charges = price.parts.flatMap(({ balance, charged: part }) =>
    part !== null && part > 0n
      ? [`${formatYuan(part)} ${messages.from} ${balanceText(balance)}`]
      : [],
  );
  const released = price.parts.flatMap(({ balance, released: part }) =>
    part !== null && part > 0n ? [messages.releasedTo(formatYuan(part), balanceText(balance))] : [],
  );
  const name = capabilityName(messages, call.capability);
  const finalAmount =
    charge > 0n
      ? html`${formatSignedYuan(-charge)}`
      : html`<span class="meta">${messages.nothingCharged}</span>`;
  return renderLine({
    at: call.openedAt,
    description: html`<a href="/console/calls/${call.requestId}">${name}</a>`,
    amount:
      outcome === 'running'
        ? html`<span class="meta">${messages.running} ${formatYuan(price.held)}</span>`
        : finalAmount,
    notes: [
      html`${sentence}`,
      ...[charges, released].filter((amounts) => amounts.length > 0).map(renderSpans),
    ],
  });
}

function describeNoCharge({ outcome }: ExplainedCall, messages: MoneyMessages): string {
  if (outcome === 'running') return messages.whyRuns;
  return outcome === 'failed' ? messages.whyFailed : messages.whyNothing;
}

/** True for the customer's own balances. Balances of the platform are excluded. */
const isCustomerBalance = (balance: string) => /^(cash$|voucher:|allowance:)/.test(balance);

function renderEntryLine(view: StatementView, entry: Entry): Html {
  const { messages, vouchers } = view;
  let sum = 0n;
  for (const { source, target, amount } of entry.moves) {
    if (isCustomerBalance(target)) sum += amount;
    if (isCustomerBalance(source)) sum -= amount;
  }
  const balances = entry.moves.map(({ source, target }) =>
    isCustomerBalance(target) ? target : source,
  );
  const names = [...new Set(balances)].map((balance) =>
    formatBalanceName(balance, messages, vouchers),
  );
  return renderLine({
    at: entry.at,
    description: renderEntryName(view, entry, { sum, names: names.join(', ') }),
    amount: html`<span class="${sum > 0n ? 'positive' : ''}">${formatSignedYuan(sum)}</span>`,
    notes: listEntryNotes(entry, { sum, names: names.join(', ') }, messages),
  });
}

/** The change of the customer's money by an entry, and the names of the changed balances. */
type EntryChange = { readonly sum: MicroFen; readonly names: string };

/** Lists details that the title of the line does not contain. */
function listEntryNotes(
  entry: Entry,
  { sum, names }: EntryChange,
  messages: MoneyMessages,
): readonly Html[] {
  const { kind, reference, reason } = entry;
  // The titles of these entries already name the balance.
  const isNamed = ['allowance', 'voucher', 'expiry', 'sandbox'].includes(kind);
  const hasExternalReference =
    kind === 'top_up' && reference !== null && !reference.startsWith('top-up:');
  const notes = [
    ...(isNamed ? [] : [html`<span>${sum > 0n ? messages.to : messages.from} ${names}</span>`]),
    ...(reference?.startsWith('code:') ? [html`<span>${messages.byCode}</span>`] : []),
    ...(hasExternalReference ? [html`<span>${messages.reference} ${reference}</span>`] : []),
    ...(reason !== null && (kind === 'credit' || kind === 'refund')
      ? [html`<span>${messages.because(reason)}</span>`]
      : []),
  ];
  return notes.length === 0 ? [] : [html`${notes}`];
}

/** Renders the name of an entry, with a link when the entry has a page. */
export function renderEntryName(
  { messages, vouchers }: StatementView,
  entry: Entry,
  { sum, names }: EntryChange,
): Html {
  const { kind, reference, requestId } = entry;
  const [, topUpId] = /^top-up(?:-refund)?:(tu_[0-9a-f]{24})/.exec(reference ?? '') ?? [];
  const entryNames = messages.entries;
  switch (kind) {
    case 'top_up':
    case 'top_up_refund':
    case 'top_up_dispute':
    case 'top_up_return':
    case 'top_up_refund_failed':
      return topUpId === undefined
        ? html`${entryNames[kind]}`
        : html`<a href="/console/top-up/${topUpId}">${entryNames[kind]}</a>`;
    case 'refund':
      return requestId === null
        ? html`${entryNames.refund}`
        : html`<a href="/console/calls/${requestId}">${entryNames.refund}</a>`;
    case 'credit':
      return html`${sum > 0n ? entryNames.credit_in : entryNames.credit_out}`;
    case 'voucher':
      return html`${entryNames.voucher(
        vouchers.get(entry.moves[0]?.target ?? '') ?? messages.voucher,
      )}`;
    case 'expiry':
      return html`${entryNames.expiry(names)}`;
    case 'allowance':
    case 'goodwill':
    case 'sandbox':
      return html`${entryNames[kind]}`;
    default:
      return html`${entryNames.other}`;
  }
}
