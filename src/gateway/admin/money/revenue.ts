// Shows the value of calls by day, account or capability, as a page and as CSV. The parts are
// payments in cash, vouchers and free allowances.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { formatCsv } from '../../../kernel/text/csv.ts';
import { daysBetween, isDay, shanghaiDay } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatIsoDay } from '../../../kernel/web/format-time.ts';
import { renderErrorSummary, renderTextField } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, type TableRow } from '../../../kernel/web/list-table.ts';
import { unitCost } from '../../capabilities/providers-config.ts';
import {
  addRevenue,
  listRevenue,
  type RevenueGroup,
  type RevenueLine,
  type RevenueQuery,
  type RevenueSums,
} from '../../wallet/history/read-revenue.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { capabilityName } from '../capability-name.ts';
import { revenueMessages } from '../messages/revenue.ts';
import { formatYuan } from './format-money.ts';

const PATH = '/admin/revenue';
const MAX_DAYS = 92;
const DEFAULT_DAYS = 14;

const groupings = ['day', 'account', 'capability'] as const satisfies readonly RevenueGroup[];

function readQuery({ world }: GatewayAdminContext, query: URLSearchParams): RevenueQuery {
  const now = world.clock.now();
  const defaultFrom = shanghaiDay(now - (DEFAULT_DAYS - 1) * DAY_MS).day;
  return {
    groupBy: groupings.find((grouping) => grouping === query.get('by')) ?? 'day',
    from: query.get('from') || defaultFrom,
    to: query.get('to') || shanghaiDay(now).day,
  };
}

function areDaysValid({ from, to }: RevenueQuery): boolean {
  if (!isDay(from) || !isDay(to)) return false;
  const days = daysBetween(from, to);
  return days >= 0 && days < MAX_DAYS;
}

const unitCostReader =
  ({ costs }: GatewayAdminContext) =>
  (capability: string) =>
    unitCost(costs, capability);

export async function revenuePage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = revenueMessages(context.site.language);
  const revenueQuery = readQuery(context, query);
  const isValid = areDaysValid(revenueQuery);
  const lines = isValid ? await listRevenue(context.db, revenueQuery, unitCostReader(context)) : [];
  return {
    kind: 'page',
    status: isValid ? 200 : 400,
    title: messages.title,
    section: 'revenue',
    main: html`${renderPageHead(messages.title, messages.about(MAX_DAYS))}
${renderErrorSummary(context, isValid ? {} : { from: messages.invalidDays(MAX_DAYS) })}
<div class="filters"><ul>${groupings.map(
      (grouping) => html`<li><a href="${toAddress(PATH, { ...revenueQuery, groupBy: grouping })}"${
        grouping === revenueQuery.groupBy && html` aria-current="page"`
      }>${messages.by[grouping]}</a></li>
`,
    )}</ul></div>
<form class="bar" method="get" action="${PATH}"><input type="hidden" name="by" \
value="${revenueQuery.groupBy}">${renderTextField({
      name: 'from',
      label: messages.from,
      value: revenueQuery.from,
      type: 'date',
    })}${renderTextField({ name: 'to', label: messages.to, value: revenueQuery.to, type: 'date' })}\
<button class="quiet">${messages.show}</button></form>
${
  lines.length === 0
    ? html`<p class="empty">${messages.none}</p>`
    : renderTable(context, revenueQuery, lines)
}
${
  lines.length > 0 &&
  html`<p class="more"><a class="link" href="${toAddress(`${PATH}.csv`, revenueQuery)}">\
${messages.csv}</a></p>`
}`,
  };
}

const toAddress = (path: string, { groupBy, from, to }: RevenueQuery) =>
  `${path}?${new URLSearchParams({ by: groupBy, from, to })}`;

function renderTable(
  context: GatewayAdminContext,
  { groupBy }: RevenueQuery,
  lines: readonly RevenueLine[],
): Html {
  const messages = revenueMessages(context.site.language);
  // Days are sorted newest first; accounts and capabilities by paid amount.
  const sortedLines =
    groupBy === 'day'
      ? lines.toReversed()
      : lines.toSorted((a, b) => Number(b.paid - a.paid) || (a.name < b.name ? -1 : 1));
  const columns = [
    { label: messages.group[groupBy] },
    ...[messages.calls, messages.succeeded, messages.paid, messages.vouchers].map(numberColumn),
    ...[messages.allowance, messages.total, messages.cost, messages.margin].map(numberColumn),
  ];
  const rows = sortedLines.map((line) =>
    toCells(renderName(context, groupBy, line), line, messages),
  );
  const total = addRevenue(lines);
  return html`${renderListTable(columns, [
    ...rows,
    toCells(
      html`<b>${messages.total}\
</b>`,
      total,
      messages,
    ),
  ])}
${
  total.callsWithUnknownCost > 0 &&
  html`<p class="meta spaced">${messages.uncosted(total.callsWithUnknownCost)}</p>`
}<p class="meta spaced">${messages.costsAbout}</p>`;
}

function renderName(
  { site, world }: GatewayAdminContext,
  groupBy: RevenueGroup,
  { group, name }: RevenueLine,
): Html {
  if (groupBy === 'account') return html`<a href="/admin/accounts/${group}">${name}</a>`;
  if (groupBy === 'capability') return html`${capabilityName(site, name)}`;
  const text = formatIsoDay(site.language, group, world.clock.now());
  return html`<time datetime="${group}">${text}</time>`;
}

const numberColumn = (label: string) => ({ label, isNumber: true });

function toCells(
  name: Html,
  sums: RevenueSums,
  messages: ReturnType<typeof revenueMessages>,
): TableRow {
  const { calls, succeeded, paid, vouchers, allowance } = sums;
  return [
    rowHeading(name),
    calls,
    succeeded,
    ...[paid, vouchers, allowance, paid + vouchers + allowance].map(formatYuan),
    ...formatCostAndMargin(sums, messages),
  ];
}

/** When some calls have an unknown cost, the sum is a lower bound. */
function formatCostAndMargin(
  { paid, cost, callsWithUnknownCost, succeeded }: RevenueSums,
  messages: ReturnType<typeof revenueMessages>,
): readonly string[] {
  if (succeeded > 0 && callsWithUnknownCost === succeeded)
    return [messages.unknown, messages.unknown];
  const [costText, marginText] = [formatYuan(cost), formatYuan(paid - cost)];
  return callsWithUnknownCost === 0
    ? [costText, marginText]
    : [messages.atLeast(costText), messages.atMost(marginText)];
}

export async function createRevenueFile(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const revenueQuery = readQuery(context, request.query);
  if (!areDaysValid(revenueQuery)) return revenuePage(context, request);
  const { groupBy, from, to } = revenueQuery;
  const lines = await listRevenue(context.db, revenueQuery, unitCostReader(context));
  const header = [groupBy, 'calls', 'succeeded', 'paid', 'vouchers', 'allowance', 'total'];
  header.push('cost', 'margin', 'calls_of_unknown_cost');
  const text = formatCsv([
    header,
    ...lines.map(
      ({ name, calls, succeeded, paid, vouchers, allowance, cost, callsWithUnknownCost }) => [
        name,
        calls,
        succeeded,
        ...[paid, vouchers, allowance, paid + vouchers + allowance].map(formatCny),
        ...(callsWithUnknownCost > 0 ? ['', ''] : [cost, paid - cost].map(formatCny)),
        callsWithUnknownCost,
      ],
    ),
  ]);
  return { kind: 'file', name: `revenue-${groupBy}-${from}-${to}.csv`, type: 'text/csv', text };
}
