// Token usage of the chat relay, by model, day, account or key.

import { type Html, html } from '../../../kernel/html/html.ts';
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { type ChatUsageSum, readChatUsage } from '../../relay/usage-report.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { filterList, listTable } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { qualityPart, routesPart } from './relay-parts.ts';

const groups = ['model', 'day', 'account', 'key'] as const;
type Group = (typeof groups)[number];
const spans = [7, 30, 90] as const;

export async function chatPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { db, world, site } = context;
  const messages = adminMessages(site.language);
  const groupBy = groups.find((group) => group === query.get('by')) ?? 'model';
  const days = spans.find((span) => String(span) === query.get('days')) ?? 30;
  const now = world.clock.now();
  const from = shanghaiDay(now - (days - 1) * DAY_MS).day;
  const rows = await readChatUsage(db, { of: null, from, to: shanghaiDay(now).day, groupBy });
  return {
    kind: 'page',
    title: messages.sections.chat,
    section: 'chat',
    main: html`${pageHead(messages.sections.chat, messages.chatAbout)}
${filterList(
  { path: '/admin/chat', name: `days=${days}&by`, chosen: groupBy },
  groups.map((value) => ({ value, label: messages.chatGroups[value] })),
)}
${filterList(
  { path: '/admin/chat', name: `by=${groupBy}&days`, chosen: String(days) },
  spans.map((value) => ({ value: String(value), label: messages.lastDays(value) })),
)}
${rows.length === 0 ? html`<p class="empty">${messages.noChat}</p>` : table(context, groupBy, rows)}
${await qualityPart(context, now - days * DAY_MS)}
${routesPart(context)}`,
  };
}

function table({ site }: GatewayAdminContext, groupBy: Group, rows: readonly ChatUsageSum[]): Html {
  const messages = adminMessages(site.language);
  const number = new Intl.NumberFormat(site.language);
  const numbers = [
    messages.calls,
    messages.finished,
    messages.promptTokens,
    messages.completionTokens,
  ];
  const columns = [
    { label: messages.chatGroups[groupBy] },
    ...numbers.map((label) => ({ label, isNumber: true })),
  ];
  const cells = (row: ChatUsageSum) =>
    [row.calls, row.completed, row.promptTokens, row.completionTokens].map(
      (value) => html`<td class="number">${number.format(value)}</td>`,
    );
  const total = (pick: (row: ChatUsageSum) => number) =>
    rows.reduce((sum, row) => sum + pick(row), 0);
  const all: ChatUsageSum = {
    group: '',
    estimated: 0,
    calls: total((row) => row.calls),
    completed: total((row) => row.completed),
    promptTokens: total((row) => row.promptTokens),
    completionTokens: total((row) => row.completionTokens),
  };
  return listTable(columns, [
    ...rows.map(
      (row) => html`<tr><th scope="row">${groupName(groupBy, row.group)}${
        row.estimated > 0 &&
        html`<span class="meta below">${messages.estimated(row.estimated)}</span>`
      }</th>${cells(row)}</tr>
`,
    ),
    html`<tr class="total"><th scope="row">${messages.total}</th>${cells(all)}</tr>
`,
  ]);
}

const groupName = (groupBy: Group, group: string) =>
  groupBy === 'account' ? html`<a href="/admin/accounts/${group}">${group}</a>` : group;
