// Shows the tokens of the chat relay, its charges and its upstreams' costs, by model, day, account
// or key, as a page and as CSV.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { formatCsv } from '../../../kernel/text/csv.ts';
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { type ChatUsageSum, readChatUsage } from '../../relay/usage-report.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderFilters } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { relayAdminMessages } from '../messages/relay.ts';
import { revenueMessages } from '../messages/revenue.ts';
import { formatYuan } from '../money/format-money.ts';
import { renderQuality, renderRoutes } from './relay-parts.ts';

const PATH = '/admin/chat';
const groupings = ['model', 'day', 'account', 'key'] as const;
type Group = (typeof groupings)[number];
const dayRanges = [7, 30, 90] as const;

/**
 * Sums the live calls of all accounts over the days of the query, which begin at midnight in
 * Shanghai. `since` is exactly that number of days ago, for figures of calls without day sums.
 */
async function readSums({ db, world }: GatewayAdminContext, query: URLSearchParams) {
  const groupBy = groupings.find((group) => group === query.get('by')) ?? 'model';
  const days = dayRanges.find((span) => String(span) === query.get('days')) ?? 30;
  const now = world.clock.now();
  const from = shanghaiDay(now - (days - 1) * DAY_MS).day;
  const range = { from, to: shanghaiDay(now).day };
  const rows = await readChatUsage(db, { wallet: null, ...range, groupBy });
  return { groupBy, days, ...range, rows, since: now - days * DAY_MS };
}

export async function chatPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const { groupBy, days, rows, since } = await readSums(context, query);
  return {
    kind: 'page',
    title: messages.sections.chat,
    section: 'chat',
    // The name of each filter also carries the value of the other filter, so a link keeps both.
    main: html`${renderPageHead(messages.sections.chat, messages.chatAbout)}
${renderFilters(
  { path: PATH, name: `days=${days}&by`, chosen: groupBy },
  groupings.map((value) => ({ value, label: messages.chatGroups[value] })),
)}
${renderFilters(
  { path: PATH, name: `by=${groupBy}&days`, chosen: String(days) },
  dayRanges.map((value) => ({ value: String(value), label: messages.lastDays(value) })),
)}
${
  rows.length === 0
    ? html`<p class="empty">${messages.noChat}</p>`
    : html`${renderSums(context, groupBy, rows)}
<p class="more"><a class="link" href="${PATH}.csv?by=${groupBy}&days=${days}">\
${revenueMessages(context.site.language).csv}</a></p>`
}
${await renderQuality(context, since)}
${renderRoutes(context)}`,
  };
}

function renderSums(
  { site }: GatewayAdminContext,
  groupBy: Group,
  rows: readonly ChatUsageSum[],
): Html {
  const messages = adminMessages(site.language);
  const relayMessages = relayAdminMessages(site.language);
  const { cost, margin } = revenueMessages(site.language);
  const numberFormat = new Intl.NumberFormat(site.language);
  const totals = addSums(rows);
  const hasCosts = totals.costed > 0;
  const numberLabels = [
    messages.calls,
    messages.finished,
    messages.promptTokens,
    messages.completionTokens,
    relayMessages.charged,
    ...(hasCosts ? [cost, margin] : []),
  ];
  const columns = [
    { label: messages.chatGroups[groupBy] },
    ...numberLabels.map((label) => ({ label, isNumber: true })),
  ];
  const toCells = (row: ChatUsageSum) => [
    ...[row.calls, row.completed, row.promptTokens, row.completionTokens].map(numberFormat.format),
    formatYuan(row.charge),
    ...(hasCosts ? formatCostAndMargin(row, site.language) : []),
  ];
  const table = renderListTable(columns, [
    ...rows.map((row) => [
      rowHeading(
        html`${formatGroup(groupBy, row.group)}${
          row.estimated > 0 &&
          html`<span class="meta below">${messages.estimated(row.estimated)}</span>`
        }`,
      ),
      ...toCells(row),
    ]),
    { cells: [rowHeading(messages.total), ...toCells(totals)], className: 'total' },
  ]);
  return html`${table}
<p class="meta spaced">${hasCosts ? relayMessages.costsAbout : relayMessages.noCosts}</p>`;
}

/** When some calls have an unknown cost, the cost is a lower bound and the margin an upper one. */
function formatCostAndMargin({ charge, cost, costed, calls }: ChatUsageSum, language: Language) {
  const messages = revenueMessages(language);
  if (costed === 0) return [messages.unknown, messages.unknown];
  const [costText, marginText] = [formatYuan(cost), formatYuan(charge - cost)];
  return costed === calls
    ? [costText, marginText]
    : [messages.atLeast(costText), messages.atMost(marginText)];
}

const addSums = (rows: readonly ChatUsageSum[]): ChatUsageSum =>
  rows.reduce(
    (sum, row) => ({
      group: '',
      calls: sum.calls + row.calls,
      completed: sum.completed + row.completed,
      estimated: 0,
      promptTokens: sum.promptTokens + row.promptTokens,
      completionTokens: sum.completionTokens + row.completionTokens,
      charge: sum.charge + row.charge,
      cost: sum.cost + row.cost,
      costed: sum.costed + row.costed,
    }),
    noUsage,
  );

const noUsage: ChatUsageSum = {
  group: '',
  calls: 0,
  completed: 0,
  estimated: 0,
  promptTokens: 0,
  completionTokens: 0,
  charge: 0n,
  cost: 0n,
  costed: 0,
};

export async function createChatFile(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { groupBy, from, to, rows } = await readSums(context, query);
  const header = [groupBy, 'calls', 'finished', 'estimated', 'prompt_tokens', 'completion_tokens'];
  const text = formatCsv([
    [...header, 'charged', 'cost', 'margin', 'calls_of_unknown_cost'],
    ...rows.map(({ charge, cost, costed, ...row }) => [
      row.group,
      row.calls,
      row.completed,
      row.estimated,
      row.promptTokens,
      row.completionTokens,
      formatCny(charge),
      ...(costed < row.calls ? ['', ''] : [cost, charge - cost].map(formatCny)),
      row.calls - costed,
    ]),
  ]);
  return { kind: 'file', name: `relay-${groupBy}-${from}-${to}.csv`, type: 'text/csv', text };
}

const formatGroup = (groupBy: Group, group: string) =>
  groupBy === 'account' ? html`<a href="/admin/accounts/${group}">${group}</a>` : group;
