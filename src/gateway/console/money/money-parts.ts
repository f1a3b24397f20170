// Formats amounts and names of balances, and renders a pager, for all pages about money.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny, type MicroFen } from '../../../kernel/money.ts';
import type { PriceExplanation } from '../../wallet/history/explain-price.ts';
import type { MoneyMessages } from '../messages/money.ts';

/** Formats the exact amount with at least two decimals: `¥0.036`, `¥12.00`, `−¥1.50`. */
export function formatYuan(amount: MicroFen): string {
  const [integerPart = '0', decimals = ''] = formatCny(amount < 0n ? -amount : amount).split('.');
  const sign = amount < 0n ? '−' : '';
  return `${sign}¥${groupDigits(integerPart)}.${decimals.padEnd(2, '0')}`;
}

/** Formats the amount with a sign: plus for incoming money, minus for outgoing money. */
export const formatSignedYuan = (amount: MicroFen): string =>
  `${amount > 0n ? '+' : ''}${formatYuan(amount)}`;

/** Formats a whole number with separators: `12,345`. */
export const formatCount = (count: number): string => groupDigits(String(count));

/** Inserts a comma before each group of three digits, counted from the end. */
const groupDigits = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Describes the charge of a call: unit price, number of units, total, and price list. */
export function describeCharge(
  { unit, unitPrice, quantity, version }: PriceExplanation,
  charged: MicroFen,
  messages: MoneyMessages,
): string {
  const total = formatYuan(charged);
  if (unit === 'token') return messages.whyTokens(formatCount(quantity), total, version);
  const unitText = messages.perUnit[unit](formatYuan(unitPrice));
  return messages.whyPaid(unitText, messages.quantityOf[unit](quantity), total, version);
}

/**
 * `balance`: `cash`, or the kind and the key of the balance, such as `allowance:2026-11-19`.
 * `vouchers`: names of vouchers by their balances.
 */
export function formatBalanceName(
  balance: string,
  messages: MoneyMessages,
  vouchers: ReadonlyMap<string, string>,
): string {
  if (balance.startsWith('allowance:'))
    return messages.balances.allowance(balance.slice('allowance:'.length));
  if (balance.startsWith('voucher:'))
    return messages.balances.voucher(vouchers.get(balance) ?? messages.voucher);
  return messages.balances.cash;
}

/** Renders links to the next page and to the first page; empty when all rows are shown. */
export function renderPager(
  messages: MoneyMessages,
  list: {
    readonly path: string;
    readonly query: URLSearchParams;
    readonly nextCursor: string | null;
  },
): Html {
  const { path, query, nextCursor } = list;
  const firstPageQuery = withoutParameter(query, 'cursor');
  const nextPageQuery = new URLSearchParams(firstPageQuery);
  if (nextCursor !== null) nextPageQuery.set('cursor', nextCursor);
  return html`<p class="more">${
    nextCursor !== null &&
    html`<a rel="next" href="${toAddress(path, nextPageQuery)}">${messages.older} →</a>`
  }${
    query.has('cursor') && html`<a href="${toAddress(path, firstPageQuery)}">${messages.newest}</a>`
  }</p>`;
}

export function withoutParameter(query: URLSearchParams, name: string): URLSearchParams {
  const otherParameters = new URLSearchParams(query);
  otherParameters.delete(name);
  return otherParameters;
}

export const toAddress = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;

/** Returns the display name of a capability, or its id when it is unknown. */
export const capabilityName = (messages: MoneyMessages, id: string): string =>
  messages.names[id] ?? id;
