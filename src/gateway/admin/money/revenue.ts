// Revenue by day, account and capability, paid and free, as a page and as CSV.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { csvOf } from '../../../kernel/text/csv.ts';
import { daysBetween, isDay, shanghaiDay } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { isoDayText } from '../../../kernel/web/format-time.ts';
import { errorSummary, textField } from '../../../kernel/web/forms.ts';
import { listTable, rowHeading, type TableRow } from '../../../kernel/web/list-table.ts';
import { unitCost } from '../../capabilities/providers-config.ts';
import {
  addRevenue,
  type RevenueGroup,
  type RevenueLine,
  type RevenueQuery,
  type RevenueSums,
  revenueOf,
} from '../../wallet/history/read-revenue.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { capabilityName } from '../capability-name.ts';
import { revenueMessages } from '../messages/revenue.ts';
import { yuan } from './format-money.ts';

const PATH = '/admin/revenue';
const DAYS_MAX = 92;
const USUAL_DAYS = 14;

const groupings = ['day', 'account', 'capability'] as const satisfies readonly RevenueGroup[];

function readQuery({ world }: GatewayAdminContext, query: URLSearchParams): RevenueQuery {
  const now = world.clock.now();
  const defaultFrom = shanghaiDay(shanghaiDay(now).startsAt - (USUAL_DAYS - 1) * DAY_MS + 1).day;
  return {
    groupBy: groupings.find((grouping) => grouping === query.get('by')) ?? 'day',
    from: query.get('from') || defaultFrom,
    to: query.get('to') || shanghaiDay(now).day,
  };
}

function areDaysValid({ from, to }: RevenueQuery): boolean {
  if (!isDay(from) || !isDay(to)) return false;
  const days = daysBetween(from, to);
  return days >= 0 && days < DAYS_MAX;
}

const costsOf =
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
  const lines = isValid ? await revenueOf(context.db, revenueQuery, costsOf(context)) : [];
  return {
    kind: 'page',
    status: isValid ? 200 : 400,
    title: messages.title,
    section: 'revenue',
    main: html`${pageHead(messages.title, messages.about(DAYS_MAX))}
${errorSummary(context, isValid ? {} : { from: messages.badDays(DAYS_MAX) })}
<div class="filters"><ul>${groupings.map(
      (by) => html`<li><a href="${addressOf(PATH, { ...revenueQuery, groupBy: by })}"${
        by === revenueQuery.groupBy && html` aria-current="page"`
      }>${messages.by[by]}</a></li>
`,
    )}</ul></div>
<form class="bar" method="get" action="${PATH}"><input type="hidden" name="by" \
value="${revenueQuery.groupBy}">${textField({
      name: 'from',
      label: messages.from,
      value: revenueQuery.from,
      type: 'date',
    })}${textField({ name: 'to', label: messages.to, value: revenueQuery.to, type: 'date' })}\
<button class="quiet">${messages.show}</button></form>
${
  lines.length === 0
    ? html`<p class="empty">${messages.none}</p>`
    : table(context, revenueQuery, lines)
}
${
  lines.length > 0 &&
  html`<p class="more"><a class="link" href="${addressOf(`${PATH}.csv`, revenueQuery)}">\
${messages.csv}</a></p>`
}`,
  };
}

const addressOf = (path: string, { groupBy, from, to }: RevenueQuery) =>
  `${path}?${new URLSearchParams({ by: groupBy, from, to })}`;

function table(
  context: GatewayAdminContext,
  { groupBy }: RevenueQuery,
  lines: readonly RevenueLine[],
): Html {
  const messages = revenueMessages(context.site.language);
  // Days are sorted newest first; accounts and capabilities by paid amount.
  const ordered =
    groupBy === 'day'
      ? lines.toReversed()
      : lines.toSorted((a, b) => Number(b.paid - a.paid) || (a.name < b.name ? -1 : 1));
  const columns = [
    { label: messages.group[groupBy] },
    ...[messages.calls, messages.succeeded, messages.paid, messages.vouchers].map(numberColumn),
    ...[messages.allowance, messages.total, messages.cost, messages.margin].map(numberColumn),
  ];
  const rows = ordered.map((revenueRow) => {
    return row(nameOf(context, groupBy, revenueRow), revenueRow, messages);
  });
  const total = addRevenue(lines);
  return html`${listTable(columns, [...rows, row(html`<b>${messages.total}</b>`, total, messages)])}
${
  total.callsWithUnknownCost > 0 &&
  html`<p class="meta spaced">${messages.uncosted(total.callsWithUnknownCost)}</p>`
}<p class="meta spaced">${messages.costsAbout}</p>`;
}

function nameOf(
  { site, world }: GatewayAdminContext,
  groupBy: RevenueGroup,
  { group, name }: RevenueLine,
): Html {
  if (groupBy === 'account') return html`<a href="/admin/accounts/${group}">${name}</a>`;
  if (groupBy === 'capability') return html`${capabilityName(site, name)}`;
  const text = isoDayText(site.language, group, world.clock.now());
  return html`<time datetime="${group}">${text}</time>`;
}

const numberColumn = (label: string) => ({ label, isNumber: true });

function row(
  name: Html,
  sums: RevenueSums,
  messages: ReturnType<typeof revenueMessages>,
): TableRow {
  const { calls, succeeded, paid, vouchers, allowance } = sums;
  return [
    rowHeading(name),
    calls,
    succeeded,
    ...[paid, vouchers, allowance, paid + vouchers + allowance].map(yuan),
    ...costAndMargin(sums, messages),
  ];
}

/** When some calls have an unknown cost, the sum is a lower bound. */
function costAndMargin(
  { paid, cost, callsWithUnknownCost, succeeded }: RevenueSums,
  messages: ReturnType<typeof revenueMessages>,
): readonly string[] {
  if (succeeded > 0 && callsWithUnknownCost === succeeded)
    return [messages.unknown, messages.unknown];
  const [costText, marginText] = [yuan(cost), yuan(paid - cost)];
  return callsWithUnknownCost === 0
    ? [costText, marginText]
    : [messages.atLeast(costText), messages.atMost(marginText)];
}

export async function revenueFile(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const revenueQuery = readQuery(context, request.query);
  if (!areDaysValid(revenueQuery)) return revenuePage(context, request);
  const { groupBy, from, to } = revenueQuery;
  const lines = await revenueOf(context.db, revenueQuery, costsOf(context));
  const head = [groupBy, 'calls', 'succeeded', 'paid', 'vouchers', 'allowance', 'total'];
  head.push('cost', 'margin', 'calls_of_unknown_cost');
  const text = csvOf([
    head,
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
