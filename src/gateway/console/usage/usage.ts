// The usage page: numbers of calls and their cost by day, capability, key or model, as charts, a
// table and a file.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny, type MicroFen } from '../../../kernel/money.ts';
import { formatCsv } from '../../../kernel/text/csv.ts';
import { daysBetween } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatIsoDay } from '../../../kernel/web/format-time.ts';
import { renderTextField } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { listKeys } from '../../keys/change-keys.ts';
import { readWalletUsage, type WalletUsage } from '../../wallet/history/read-usage.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { usageMessages } from '../messages/usage.ts';
import { capabilityName, formatCount, formatYuan, toAddress } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderSwatch, type Tone } from './bar-chart.ts';
import { type DayRange, lastDays, monthsAt, parseDayBounds } from './day-range.ts';
import { readModelUsageRows, renderModelUsage } from './model-usage.ts';
import { assignTones, renderUsageCharts } from './usage-charts.ts';
import { compareUsage } from './usage-columns.ts';

const PATH = '/console/usage';
const DAYS_MAX = 366;
const DEFAULT_DAYS = 30;

const groups = ['day', 'capability', 'key'] as const;
type Group = (typeof groups)[number];
const views = [...groups, 'model'] as const;

type UsageQuery = DayRange & {
  readonly group: (typeof views)[number];
  readonly isInvalid: boolean;
  /** Values of the form, including invalid values. */
  readonly formInput: DayRange;
};

function readUsageQuery(query: URLSearchParams, now: number): UsageQuery {
  const defaultRange = lastDays(now, DEFAULT_DAYS);
  const from = (query.get('from') ?? '').trim() || defaultRange.from;
  const to = (query.get('to') ?? '').trim() || defaultRange.to;
  const group = views.find((view) => view === query.get('by')) ?? 'day';
  const isInvalid = parseDayBounds(from, to) === null || daysBetween(from, to) >= DAYS_MAX;
  return {
    ...(isInvalid ? defaultRange : { from, to }),
    group,
    isInvalid,
    formInput: { from, to },
  };
}

/** The usage of a group, with its display name. */
type Row = WalletUsage & { readonly name: string };

async function loadNames(
  { db, account, site }: ConsoleContext,
  group: Group,
): Promise<(group: string) => string> {
  if (group === 'day') return (day) => day;
  if (group === 'capability') {
    const messages = moneyMessages(site.language);
    return (id) => capabilityName(messages, id);
  }
  const keys = new Map((await listKeys(db, account.id)).map((key) => [key.id, key]));
  return (id) => {
    const key = keys.get(id);
    return key === undefined ? id : `${key.name} …${key.last4}`;
  };
}

const loadRows = (
  { db, account, livemode }: ConsoleContext,
  { from, to }: DayRange,
  groupBy: Parameters<typeof readWalletUsage>[1]['groupBy'],
) => readWalletUsage(db, { accountId: account.id, livemode, from, to, groupBy });

export async function usagePage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const messages = moneyMessages(context.site.language);
  const usageQuery = readUsageQuery(query, context.world.clock.now());
  return {
    kind: 'page',
    ...(usageQuery.isInvalid && { status: 400 }),
    title: messages.usage,
    body: html`${renderPageHead(messages.usage, messages.usageAbout)}
${
  usageQuery.isInvalid &&
  html`<p class="notice negative" role="alert">${messages.invalidRange(DAYS_MAX)}\
</p>`
}
${renderChoices(context, usageQuery, messages)}
${await renderResult(context, usageQuery)}`,
  };
}

async function renderResult(context: ConsoleContext, usageQuery: UsageQuery): Promise<Html> {
  const messages = moneyMessages(context.site.language);
  const { group } = usageQuery;
  const files = renderDownloads(context, usageQuery);
  if (group === 'model') return html`${await renderModelUsage(context, usageQuery)}${files}`;
  const totals = await loadRows(context, usageQuery, group);
  if (totals.length === 0) return html`<div class="empty"><p>${messages.noUsage}</p></div>`;
  const { site, world } = context;
  const nameOf =
    group === 'day'
      ? (day: string) => formatIsoDay(site.language, day, world.clock.now())
      : await loadNames(context, group);
  const rows = totals.map((row) => ({ ...row, name: nameOf(row.group) }));
  if (group !== 'day') {
    return html`${await renderComparison(context, { usageQuery, group, rows, nameOf })}${files}`;
  }
  return html`${renderUsageCharts(context, { range: usageQuery, rows, compared: null })}
<details><summary>${messages.showTable}</summary>\
${renderTable(rows, messages.day, messages)}</details>
${files}`;
}

type Comparison = {
  readonly usageQuery: UsageQuery;
  readonly group: Exclude<Group, 'day'>;
  readonly rows: readonly Row[];
  readonly nameOf: (group: string) => string;
};

/** Renders the charts, and the table whose first column is also the colour legend. */
async function renderComparison(
  context: ConsoleContext,
  { usageQuery, group, rows, nameOf }: Comparison,
): Promise<Html> {
  const messages = moneyMessages(context.site.language);
  const dailyRows = await loadRows(context, usageQuery, `day ${group}`);
  const toneOf = assignTones(rows);
  const firstColumn = group === 'key' ? messages.key : messages.capability;
  const sortedRows = rows.toSorted(compareUsage);
  return html`${renderUsageCharts(context, {
    range: usageQuery,
    rows: dailyRows,
    compared: { totals: rows, nameOf },
  })}${renderTable(sortedRows, firstColumn, messages, toneOf)}`;
}

function renderDownloads({ site }: ConsoleContext, usageQuery: UsageQuery): Html {
  const dailyQuery = queryOf(usageQuery);
  dailyQuery.set('each', 'day');
  return html`<p class="more"><a href="${toAddress(`${PATH}.csv`, queryOf(usageQuery))}">\
${moneyMessages(site.language).download}</a>${
    usageQuery.group !== 'day' &&
    usageQuery.group !== 'model' &&
    html`<a href="${toAddress(`${PATH}.csv`, dailyQuery)}">\
${usageMessages(site.language).downloadDaily}</a>`
  }</p>`;
}

const queryOf = ({ from, to, group }: UsageQuery) => new URLSearchParams({ by: group, from, to });

function renderChoices(
  context: ConsoleContext,
  usageQuery: UsageQuery,
  messages: MoneyMessages,
): Html {
  const now = context.world.clock.now();
  const texts = usageMessages(context.site.language);
  const { formInput } = usageQuery;
  const renderRange = (days: DayRange, name: string) => {
    const isSelected = days.from === usageQuery.from && days.to === usageQuery.to;
    return html`<li><a href="${toAddress(PATH, queryOf({ ...usageQuery, ...days }))}"\
${isSelected && html` aria-current="true"`}>${name}</a></li>`;
  };
  const { thisMonth, lastMonth } = monthsAt(now);
  return html`<div class="usage-choices">\
<nav class="filters" aria-label="${texts.view}"><ul>${views.map(
    (group) => html`<li><a href="${toAddress(PATH, queryOf({ ...usageQuery, group }))}"\
${group === usageQuery.group && html` aria-current="true"`}>${messages.by[group]}</a></li>`,
  )}</ul></nav><nav class="filters" aria-label="${texts.period}"><ul>\
${[7, 30, 90, 365].map((count) => renderRange(lastDays(now, count), messages.lastDays(count)))}\
${renderRange(thisMonth, texts.thisMonth)}\
${renderRange(lastMonth, texts.lastMonth)}</ul></nav></div>
<form class="bar filter" method="get" action="${PATH}">
<input type="hidden" name="by" value="${usageQuery.group}">\
${renderTextField({ name: 'from', label: messages.fromDay, value: formInput.from, type: 'date' })}\
${renderTextField({ name: 'to', label: messages.toDay, value: formInput.to, type: 'date' })}
<button class="quiet">${messages.filter}</button></form>`;
}

const sumOf = (rows: readonly Row[], pick: (row: Row) => MicroFen): MicroFen =>
  rows.reduce((total, row) => total + pick(row), 0n);
const callsOf = (rows: readonly Row[]) => rows.reduce((total, { calls }) => total + calls, 0);

/** `toneOf`: the colour of a row's series in the charts. */
function renderTable(
  rows: readonly Row[],
  head: string,
  messages: MoneyMessages,
  toneOf: ((group: string) => Tone) | null = null,
): Html {
  const labels = [
    messages.callsMade,
    messages.succeededOf,
    messages.spend,
    messages.fromAllowance,
    messages.fromVouchers,
    messages.fromCash,
  ];
  const cells = ({ calls, succeeded, charge }: Pick<Row, 'calls' | 'succeeded' | 'charge'>) => [
    formatCount(calls),
    formatCount(succeeded),
    formatYuan(charge.total),
    formatYuan(charge.freeQuota),
    formatYuan(charge.voucher),
    formatYuan(charge.cash),
  ];
  const totals = {
    calls: callsOf(rows),
    succeeded: rows.reduce((sum, row) => sum + row.succeeded, 0),
    charge: {
      total: sumOf(rows, ({ charge }) => charge.total),
      freeQuota: sumOf(rows, ({ charge }) => charge.freeQuota),
      voucher: sumOf(rows, ({ charge }) => charge.voucher),
      cash: sumOf(rows, ({ charge }) => charge.cash),
    },
  };
  const columns = [{ label: head }, ...labels.map((label) => ({ label, isNumber: true }))];
  return renderListTable(
    columns,
    rows.map((row) => [
      rowHeading(html`${toneOf !== null && renderSwatch(toneOf(row.group))}${row.name}`),
      ...cells(row),
    ]),
    {
      isTight: true,
      className: 'usage',
      label: messages.usage,
      footer: [rowHeading(messages.total), ...cells(totals)],
    },
  );
}

export async function usageFile(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { csv } = moneyMessages(context.site.language);
  const usageQuery = readUsageQuery(query, context.world.clock.now());
  const { group, from, to } = usageQuery;
  if (group === 'model') {
    return csvFile(`usage-by-model-${from}-${to}`, await readModelUsageRows(context, usageQuery));
  }
  const isDaily = group !== 'day' && query.get('each') === 'day';
  const nameOf = await loadNames(context, group);
  const usage = await loadRows(context, usageQuery, isDaily ? `day ${group}` : group);
  // With `isDaily`, `groupKey` is a day (YYYY-MM-DD), a space and the group.
  const rows = usage.map(({ group: groupKey, calls, succeeded, charge }) => [
    ...(isDaily ? [groupKey.slice(0, 10), nameOf(groupKey.slice(11))] : [nameOf(groupKey)]),
    calls,
    succeeded,
    formatCny(charge.total),
    formatCny(charge.freeQuota),
    formatCny(charge.voucher),
    formatCny(charge.cash),
  ]);
  const by = isDaily ? ['day', group] : [group];
  const head = [csv.calls, csv.succeeded, csv.charge, csv.allowance, csv.vouchers, csv.cash];
  return csvFile(`usage-by-${by.join('-')}-${from}-${to}`, [[...by, ...head], ...rows]);
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
const csvFile = (name: string, rows: Parameters<typeof formatCsv>[0]): ConsoleResponse => ({
  kind: 'file',
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  text: `\uFEFF${formatCsv(rows)}`,
});
