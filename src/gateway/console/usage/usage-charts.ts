// Two charts over time: amounts and numbers of calls, by balance or by the compared groups.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { type MicroFen, microFen } from '../../../kernel/money.ts';
import type { WalletUsage } from '../../wallet/history/read-usage.ts';
import { moneyMessages } from '../messages/money.ts';
import { usageMessages } from '../messages/usage.ts';
import { grouped, yuan } from '../money/money-parts.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import { type ChartLayout, plot, plotLegend, type Series, type Tone } from './bar-chart.ts';
import type { DayRange } from './day-range.ts';
import { columnsOf, maxSpent, type UsageColumn, valuesOf } from './usage-columns.ts';

const tones: readonly Tone[] = ['t1', 't2', 't3', 't4', 't5'];
const OTHERS: Tone = 't6';

/** Colours of the groups in the charts. */
export function tonesOf(totals: readonly WalletUsage[]): (group: string) => Tone {
  const names = maxSpent(totals);
  return (group) => {
    const position = names.indexOf(group);
    return position === -1 ? OTHERS : (tones[position] ?? OTHERS);
  };
}

type ChartSeries = {
  readonly range: DayRange;
  /** Rows by day; by day and group in a comparison. */
  readonly rows: readonly WalletUsage[];
  /** The compared groups with their display names; null: no comparison. */
  readonly compared: {
    readonly totals: readonly WalletUsage[];
    readonly nameOf: (group: string) => string;
  } | null;
};

/** Bar height of an amount in micro-fen. Displayed amounts stay exact. */
const high = (amount: MicroFen) => Number(amount);

export function usageCharts(context: ConsoleContext, charted: ChartSeries): Html {
  const { site } = context;
  const { rows, range } = charted;
  const messages = usageMessages(site.language);
  const { columns, isByWeek, count } = columnsOf(site.language, range);
  const spent = rows.reduce((sum, { charge }) => sum + charge.total, 0n);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const spending = spendSeries(context, charted, columns);
  const calling = callSeries(context, charted, columns);
  const legendOf = (series: readonly Series[]) =>
    charted.compared === null ? plotLegend(series) : nothing;
  const week = isByWeek && html` · ${messages.eachWeek}`;
  const spendPlot = () =>
    plot({
      ...chartOf(columns, spending, (value) => yuan(microFen(String(Math.round(value))))),
      caption: html`<b>${yuan(spent)}</b> ${messages.spentIn(count)}${week}`,
      label: messages.chartText(`${yuan(spent)} ${messages.spentIn(count)}`),
      legend: legendOf(spending),
    });
  return html`<div class="charts">${spent > 0n && spendPlot()}${plot({
    ...chartOf(columns, calling, (value) => grouped(Math.round(value))),
    caption: html`<b>${grouped(calls)}</b> ${messages.callsIn(calls, count)}\
${spent === 0n && week}`,
    label: messages.chartText(`${grouped(calls)} ${messages.callsIn(calls, count)}`),
    isInteger: true,
    legend: legendOf(calling),
  })}</div>`;
}

function chartOf(
  columns: readonly UsageColumn[],
  series: readonly Series[],
  formatValue: (value: number) => string,
): Pick<ChartLayout, 'columns' | 'series' | 'formatValue'> {
  const columnLabel = (name: string, columnIndex: number) => {
    const parts = series.filter(({ values }) => (values[columnIndex] ?? 0) > 0);
    const sum = parts.reduce((all, { values }) => all + (values[columnIndex] ?? 0), 0);
    const labels = parts.map(
      ({ name: part, values }) => `${part} ${formatValue(values[columnIndex] ?? 0)}`,
    );
    return [`${name}: ${formatValue(sum)}`, ...(parts.length > 1 ? labels : [])].join('\n');
  };
  return {
    series,
    formatValue,
    columns: columns.map(({ name, span }, index) => ({ name, label: columnLabel(span, index) })),
  };
}

function spendSeries(
  context: ConsoleContext,
  { rows, compared }: ChartSeries,
  columns: readonly UsageColumn[],
): readonly Series[] {
  const messages = moneyMessages(context.site.language);
  const valued = (value: (row: WalletUsage) => number, seriesRows = rows) =>
    valuesOf(columns, seriesRows, value);
  if (compared !== null) {
    return bySeries(context, compared, rows, (seriesRows) =>
      valued(({ charge }) => high(charge.total), seriesRows),
    );
  }
  return renderSeries([
    {
      name: messages.fromAllowance,
      tone: 't2',
      values: valued(({ charge }) => high(charge.freeQuota)),
    },
    {
      name: messages.fromVouchers,
      tone: 't3',
      values: valued(({ charge }) => high(charge.voucher)),
    },
    { name: messages.fromCash, tone: 't1', values: valued(({ charge }) => high(charge.cash)) },
  ]);
}

function callSeries(
  context: ConsoleContext,
  { rows, compared }: ChartSeries,
  columns: readonly UsageColumn[],
): readonly Series[] {
  const { language } = context.site;
  if (compared !== null) {
    return bySeries(context, compared, rows, (seriesRows) =>
      valuesOf(columns, seriesRows, ({ calls }) => calls),
    );
  }
  const failed = valuesOf(columns, rows, ({ calls, succeeded }) => calls - succeeded);
  return renderSeries([
    {
      name: moneyMessages(language).succeededOf,
      tone: 't2',
      values: valuesOf(columns, rows, ({ succeeded }) => succeeded),
    },
    { name: usageMessages(language).failed, tone: 'bad', values: failed },
  ]);
}

function bySeries(
  { site }: ConsoleContext,
  { totals, nameOf }: NonNullable<ChartSeries['compared']>,
  rows: readonly WalletUsage[],
  valued: (of: readonly WalletUsage[]) => readonly number[],
): readonly Series[] {
  const names = maxSpent(totals);
  const toneOf = tonesOf(totals);
  const groupOf = ({ group }: WalletUsage) => group.slice(11);
  const others = rows.filter((row) => !names.includes(groupOf(row)));
  return renderSeries([
    ...names.map((group) => ({
      name: nameOf(group),
      tone: toneOf(group),
      values: valued(rows.filter((row) => groupOf(row) === group)),
    })),
    {
      name: usageMessages(site.language).others(totals.length - names.length),
      tone: OTHERS,
      values: valued(others),
    },
  ]);
}

const renderSeries = (series: readonly Series[]) =>
  series.filter(({ values }) => values.some((value) => value > 0));
