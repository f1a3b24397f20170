// How much was called and what it cost, by day, capability or key: as pictures made here, as a
// table behind them, and as a file.
import { daysBetween } from '../../kernel/calendar.ts';
import { csvOf } from '../../kernel/csv.ts';
import { pageHead } from '../../kernel/desk/desk-page.ts';
import { textField } from '../../kernel/desk/forms.ts';
import { timelineBars } from '../../kernel/html/charts.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { formatCny, type MicroFen } from '../../kernel/money.ts';
import { listKeys } from '../keys/change-keys.ts';
import { type Usage, usageOf } from '../wallet/read-usage.ts';
import type { ConsoleAnswer, ConsoleAsked, ConsoleContext } from './console-context.ts';
import { type DayRange, dayBounds, daysOf, lastDays } from './day-range.ts';
import { addressOf, capabilityName, grouped, yuan } from './money-parts.ts';
import { shareBar } from './share-bar.ts';
import { type MoneyWords, moneyWords } from './words-money.ts';

const PATH = '/console/usage';
const DAYS_MAX = 366;
const DAYS_USUAL = 30;

const groups = ['day', 'capability', 'key'] as const;
type Group = (typeof groups)[number];

type Asked = DayRange & { readonly group: Group; readonly isBad: boolean };

function askedIn(query: URLSearchParams, now: number): Asked {
  const usual = lastDays(now, DAYS_USUAL);
  const from = (query.get('from') ?? '').trim() || usual.from;
  const to = (query.get('to') ?? '').trim() || usual.to;
  const group = groups.find((one) => one === query.get('by')) ?? 'day';
  const isBad = dayBounds(from, to) === null || daysBetween(from, to) >= DAYS_MAX;
  return isBad ? { ...usual, group, isBad } : { from, to, group, isBad };
}

/** What is in a group, by the name that people know it by. */
type Row = Usage & { readonly name: string };

async function rowsOf(context: ConsoleContext, asked: Asked): Promise<readonly Row[]> {
  const { world, db, account, livemode, site } = context;
  const wanted = { accountId: account.id, livemode, from: asked.from, to: asked.to };
  const rows = await usageOf(world, db, { ...wanted, groupBy: asked.group });
  if (asked.group === 'capability') {
    const words = moneyWords(site.language);
    return rows.map((row) => ({ ...row, name: capabilityName(words, row.group) }));
  }
  if (asked.group === 'day') return rows.map((row) => ({ ...row, name: row.group }));
  const keys = new Map((await listKeys(db, account.id)).map((key) => [key.id, key]));
  return rows.map((row) => {
    const key = keys.get(row.group);
    return { ...row, name: key === undefined ? row.group : `${key.name} …${key.last4}` };
  });
}

export async function usagePage(
  context: ConsoleContext,
  { query }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const words = moneyWords(context.site.language);
  const asked = askedIn(query, context.world.clock.now());
  const rows = await rowsOf(context, asked);
  const hasCalls = rows.some(({ calls }) => calls > 0);
  return {
    kind: 'page',
    ...(asked.isBad && { status: 400 }),
    title: words.usage,
    body: html`${pageHead(words.usage, words.usageAbout)}
${asked.isBad && html`<p class="notice negative" role="alert">${words.badRange(DAYS_MAX)}</p>`}
${choices(context, asked, words)}
${
  hasCalls
    ? asked.group === 'day'
      ? byDay(rows, asked, words)
      : byName(rows, asked, words)
    : html`<div class="empty"><p>${words.noUsage}</p></div>`
}
${
  hasCalls &&
  html`<p class="more"><a href="${addressOf(`${PATH}.csv`, queryOf(asked))}">\
${words.download}</a></p>`
}`,
  };
}

const queryOf = ({ from, to, group }: Asked) => new URLSearchParams({ by: group, from, to });

function choices(context: ConsoleContext, asked: Asked, words: MoneyWords): Html {
  const now = context.world.clock.now();
  const range = (count: number) => {
    const days = lastDays(now, count);
    const isThis = days.from === asked.from && days.to === asked.to;
    return html`<li><a href="${addressOf(PATH, queryOf({ ...asked, ...days }))}"\
${isThis && html` aria-current="true"`}>${words.lastDays(count)}</a></li>`;
  };
  return html`<nav class="filters" aria-label="${words.usage}"><ul>${groups.map(
    (group) => html`<li><a href="${addressOf(PATH, queryOf({ ...asked, group }))}"\
${group === asked.group && html` aria-current="true"`}>${words.by[group]}</a></li>`,
  )}</ul><ul>${[7, 30, 90, 365].map(range)}</ul></nav>
<form class="bar filter" method="get" action="${PATH}">
<input type="hidden" name="by" value="${asked.group}">\
${textField({ name: 'from', label: words.fromDay, value: asked.from, type: 'date' })}\
${textField({ name: 'to', label: words.toDay, value: asked.to, type: 'date' })}
<button class="quiet">${words.filter}</button></form>`;
}

const sumOf = (rows: readonly Row[], pick: (row: Row) => MicroFen): MicroFen =>
  rows.reduce((all, row) => all + pick(row), 0n);
const callsOf = (rows: readonly Row[]) => rows.reduce((all, { calls }) => all + calls, 0);

function byDay(rows: readonly Row[], asked: Asked, words: MoneyWords): Html {
  const days = daysOf(asked);
  const found = new Map(rows.map((row) => [row.group, row]));
  const label = (day: string) => day.slice(5);
  const calls = days.map((day) => ({ label: label(day), count: found.get(day)?.calls ?? 0 }));
  // In fen for the height of a bar; what is said stays exact.
  const spend = days.map((day) => {
    const total = found.get(day)?.charge.total ?? 0n;
    return { label: label(day), count: Number(total) / 1_000_000, said: yuan(total) };
  });
  const inDays = words.chartCalls(callsOf(rows), days.length);
  const total = sumOf(rows, ({ charge }) => charge.total);
  const spent = words.chartSpend(yuan(total), days.length);
  const highest = rows.reduce(
    (most, { charge }) => (charge.total > most ? charge.total : most),
    0n,
  );
  return html`<div class="charts"><figure class="coverage"><figcaption>${inDays}</figcaption>
${timelineBars(calls, inDays)}</figure>
<figure class="coverage"><figcaption>${spent}</figcaption>
${timelineBars(spend, spent, { className: 'spend', top: yuan(highest) })}</figure></div>
<details><summary>${words.showTable}</summary>${table(rows, words.day, words)}</details>`;
}

function byName(rows: readonly Row[], { group }: Asked, words: MoneyWords): Html {
  const sorted = rows.toSorted((a, b) => b.calls - a.calls);
  return table(sorted, group === 'key' ? words.key : words.capability, words, { hasBars: true });
}

function table(
  rows: readonly Row[],
  head: string,
  words: MoneyWords,
  { hasBars = false } = {},
): Html {
  const most = Math.max(1, ...rows.map(({ calls }) => calls));
  const row = (name: Html, shown: Pick<Row, 'calls' | 'succeeded' | 'charge'>, bar: Html | false) =>
    html`<tr>${name}${hasBars && html`<td class="share">${bar}</td>`}\
<td class="number">${grouped(shown.calls)}</td><td class="number">${grouped(shown.succeeded)}</td>\
<td class="number">${yuan(shown.charge.total)}</td>\
<td class="number">${yuan(shown.charge.freeQuota)}</td>\
<td class="number">${yuan(shown.charge.voucher)}</td>\
<td class="number">${yuan(shown.charge.cash)}</td></tr>
`;
  const all = {
    ...{ calls: callsOf(rows), succeeded: rows.reduce((sum, one) => sum + one.succeeded, 0) },
    charge: {
      total: sumOf(rows, ({ charge }) => charge.total),
      freeQuota: sumOf(rows, ({ charge }) => charge.freeQuota),
      voucher: sumOf(rows, ({ charge }) => charge.voucher),
      cash: sumOf(rows, ({ charge }) => charge.cash),
    },
  };
  const number = (name: string) => html`<th scope="col" class="number">${name}</th>`;
  return html`<div class="scroll"><table class="list tight"><thead><tr><th scope="col">${head}</th>\
${hasBars && html`<th></th>`}${[
  ...[words.callsMade, words.succeededOf, words.spend],
  ...[words.fromAllowance, words.fromVouchers, words.fromCash],
].map(number)}</tr></thead><tbody>
${rows.map((one) =>
  row(html`<th scope="row">${one.name}</th>`, one, hasBars && shareBar(one.calls / most)),
)}</tbody><tfoot>\
${row(html`<th scope="row">${words.total}</th>`, all, html``)}</tfoot></table></div>`;
}

export async function usageFile(
  context: ConsoleContext,
  { query }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const words = moneyWords(context.site.language);
  const asked = askedIn(query, context.world.clock.now());
  const { csv } = words;
  const head = [asked.group, csv.calls, csv.succeeded, csv.charge, csv.allowance];
  const rows = (await rowsOf(context, asked)).map(({ name, calls, succeeded, charge }) => [
    ...[name, calls, succeeded, formatCny(charge.total)],
    ...[formatCny(charge.freeQuota), formatCny(charge.voucher), formatCny(charge.cash)],
  ]);
  return {
    kind: 'file',
    name: `usage-by-${asked.group}-${asked.from}-${asked.to}.csv`,
    type: 'text/csv; charset=utf-8',
    // A byte order mark, so that spreadsheets read Chinese names as they are.
    text: `\uFEFF${csvOf([[...head, csv.vouchers, csv.cash], ...rows])}`,
  };
}
