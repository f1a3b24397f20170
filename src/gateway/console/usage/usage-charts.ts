// Renders two charts over time: charges by balance and calls by outcome. In a comparison, both
// charts show the compared groups.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { type MicroFen, microFen } from '../../../kernel/money.ts';
import type { WalletUsage } from '../../wallet/history/read-usage.ts';
import { moneyMessages } from '../messages/money.ts';
import { usageMessages } from '../messages/usage.ts';
import { formatCount, formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import {
  type ChartLayout,
  renderChart,
  renderLegend,
  type Series,
  type Tone,
} from './bar-chart.ts';
import type { DayRange } from './day-range.ts';
import { selectTopGroups, sumByColumn, toColumns, type UsageColumn } from './usage-columns.ts';

const tones: readonly Tone[] = ['t1', 't2', 't3', 't4', 't5'];
const OTHERS_TONE: Tone = 't6';

/** Returns a function that gives the colour of a group in the charts. */
export function assignTones(totals: readonly WalletUsage[]): (group: string) => Tone {
  const names = selectTopGroups(totals);
  return (group) => {
    const position = names.indexOf(group);
    return position === -1 ? OTHERS_TONE : (tones[position] ?? OTHERS_TONE);
  };
}

type UsageChartInput = {
  readonly range: DayRange;
  /** Rows by day; by day and group in a comparison. */
  readonly rows: readonly WalletUsage[];
  /** The compared groups with their display names; null: no comparison. */
  readonly compared: {
    readonly totals: readonly WalletUsage[];
    readonly nameOf: (group: string) => string;
  } | null;
};

/** Returns the bar height of an amount in micro-fen. The amount in the caption stays exact. */
const toBarHeight = (amount: MicroFen) => Number(amount);

export function renderUsageCharts(context: ConsoleContext, chart: UsageChartInput): Html {
  const { site } = context;
  const { rows, range } = chart;
  const messages = usageMessages(site.language);
  const { columns, isByWeek, count } = toColumns(site.language, range);
  const spent = rows.reduce((sum, { charge }) => sum + charge.total, 0n);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const spendSeries = toSpendSeries(context, chart, columns);
  const callSeries = toCallSeries(context, chart, columns);
  const legendOf = (series: readonly Series[]) =>
    chart.compared === null ? renderLegend(series) : nothing;
  const week = isByWeek && html` · ${messages.eachWeek}`;
  const renderSpendChart = () =>
    renderChart({
      ...toChart(columns, spendSeries, (value) => formatYuan(microFen(String(Math.round(value))))),
      caption: html`<b>${formatYuan(spent)}</b> ${messages.spentIn(count)}${week}`,
      label: messages.chartText(`${formatYuan(spent)} ${messages.spentIn(count)}`),
      legend: legendOf(spendSeries),
    });
  return html`<div class="charts">${spent > 0n && renderSpendChart()}${renderChart({
    ...toChart(columns, callSeries, (value) => formatCount(Math.round(value))),
    caption: html`<b>${formatCount(calls)}</b> ${messages.callsIn(calls, count)}\
${spent === 0n && week}`,
    label: messages.chartText(`${formatCount(calls)} ${messages.callsIn(calls, count)}`),
    isInteger: true,
    legend: legendOf(callSeries),
  })}</div>`;
}

function toChart(
  columns: readonly UsageColumn[],
  series: readonly Series[],
  formatValue: (value: number) => string,
): Pick<ChartLayout, 'columns' | 'series' | 'formatValue'> {
  const columnLabel = (name: string, columnIndex: number) => {
    const parts = series.filter(({ values }) => (values[columnIndex] ?? 0) > 0);
    const columnSum = parts.reduce((total, { values }) => total + (values[columnIndex] ?? 0), 0);
    const labels = parts.map(
      ({ name: part, values }) => `${part} ${formatValue(values[columnIndex] ?? 0)}`,
    );
    return [`${name}: ${formatValue(columnSum)}`, ...(parts.length > 1 ? labels : [])].join('\n');
  };
  return {
    series,
    formatValue,
    columns: columns.map(({ name, span }, index) => ({ name, label: columnLabel(span, index) })),
  };
}

function toSpendSeries(
  context: ConsoleContext,
  { rows, compared }: UsageChartInput,
  columns: readonly UsageColumn[],
): readonly Series[] {
  const messages = moneyMessages(context.site.language);
  const toSeriesValues = (value: (row: WalletUsage) => number, seriesRows = rows) =>
    sumByColumn(columns, seriesRows, value);
  if (compared !== null) {
    return toComparedSeries(context, compared, rows, (seriesRows) =>
      toSeriesValues(({ charge }) => toBarHeight(charge.total), seriesRows),
    );
  }
  return removeEmptySeries([
    {
      name: messages.fromAllowance,
      tone: 't2',
      values: toSeriesValues(({ charge }) => toBarHeight(charge.freeQuota)),
    },
    {
      name: messages.fromVouchers,
      tone: 't3',
      values: toSeriesValues(({ charge }) => toBarHeight(charge.voucher)),
    },
    {
      name: messages.fromCash,
      tone: 't1',
      values: toSeriesValues(({ charge }) => toBarHeight(charge.cash)),
    },
  ]);
}

function toCallSeries(
  context: ConsoleContext,
  { rows, compared }: UsageChartInput,
  columns: readonly UsageColumn[],
): readonly Series[] {
  const { language } = context.site;
  if (compared !== null) {
    return toComparedSeries(context, compared, rows, (seriesRows) =>
      sumByColumn(columns, seriesRows, ({ calls }) => calls),
    );
  }
  const failedCounts = sumByColumn(columns, rows, ({ calls, succeeded }) => calls - succeeded);
  return removeEmptySeries([
    {
      name: moneyMessages(language).succeededOf,
      tone: 't2',
      values: sumByColumn(columns, rows, ({ succeeded }) => succeeded),
    },
    { name: usageMessages(language).failed, tone: 'bad', values: failedCounts },
  ]);
}

function toComparedSeries(
  { site }: ConsoleContext,
  { totals, nameOf }: NonNullable<UsageChartInput['compared']>,
  rows: readonly WalletUsage[],
  toValues: (groupRows: readonly WalletUsage[]) => readonly number[],
): readonly Series[] {
  const names = selectTopGroups(totals);
  const toneOf = assignTones(totals);
  // `group` is a day, a space and the compared group.
  const groupOf = ({ group }: WalletUsage) => group.slice(11);
  const otherRows = rows.filter((row) => !names.includes(groupOf(row)));
  return removeEmptySeries([
    ...names.map((group) => ({
      name: nameOf(group),
      tone: toneOf(group),
      values: toValues(rows.filter((row) => groupOf(row) === group)),
    })),
    {
      name: usageMessages(site.language).others(totals.length - names.length),
      tone: OTHERS_TONE,
      values: toValues(otherRows),
    },
  ]);
}

const removeEmptySeries = (series: readonly Series[]) =>
  series.filter(({ values }) => values.some((value) => value > 0));
