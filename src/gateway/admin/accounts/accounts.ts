// Lists all accounts with their balance and calls, and searches by address or id.

import { type Html, html } from '../../../kernel/html/html.ts';
import { readSkip } from '../../../kernel/http/whole-number.ts';
import { periodsAt } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import {
  countAccountsByStatus,
  type FoundAccount,
  findAccounts,
} from '../../accounts/find-accounts.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderFilters, renderOlderLink } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from '../money/format-money.ts';

const PAGE_SIZE = 50;
/** The maximum length of an email address (RFC 5321). */
const MAX_SEARCH_LENGTH = 254;

export async function accountsPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const searchText = (query.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH);
  const status = (['active', 'suspended', 'deleted'] as const).find(
    (status) => status === query.get('status'),
  );
  const skip = readSkip(query);
  const search = { searchText, status: status ?? null, limit: PAGE_SIZE + 1, skip };
  const foundAccounts = await findAccounts(world, db, search);
  const counts = await countAccountsByStatus(db);
  const filters = { ...(searchText !== '' && { q: searchText }), ...(status && { status }) };
  return {
    kind: 'page',
    title: messages.sections.accounts,
    section: 'accounts',
    main: html`${renderPageHead(messages.sections.accounts, messages.accountsAbout(counts))}
<form class="bar" method="get" action="/admin/accounts" role="search"><div class="grows">\
<label class="over" for="f-q">${messages.searchAccounts}</label>
<input id="f-q" name="q" type="search" value="${searchText}"></div>
${status && html`<input type="hidden" name="status" value="${status}">`}\
<button class="quiet">${messages.search}</button></form>
${renderFilters({ path: '/admin/accounts', name: 'status', chosen: status ?? null }, [
  { value: null, label: messages.everyone },
  { value: 'active', label: messages.accountStatuses.active },
  { value: 'suspended', label: messages.accountStatuses.suspended },
  { value: 'deleted', label: messages.accountStatuses.deleted },
])}
${
  foundAccounts.length === 0
    ? html`<p class="empty">${messages.noAccounts}</p>`
    : renderTable(context, foundAccounts.slice(0, PAGE_SIZE))
}
${
  foundAccounts.length > PAGE_SIZE &&
  renderOlderLink(messages.older, '/admin/accounts', { ...filters, skip: skip + PAGE_SIZE })
}`,
  };
}

function renderTable(
  { world, site }: GatewayAdminContext,
  accounts: readonly FoundAccount[],
): Html {
  const messages = adminMessages(site.language);
  const { month } = periodsAt(world.clock.now());
  return renderListTable(
    [
      { label: messages.account },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.cash, isNumber: true },
      { label: messages.vouchersLeft, isNumber: true },
      { label: messages.callsThisMonth, isNumber: true },
      { label: messages.since },
    ],
    accounts.map((account) => [
      rowHeading(html`<a href="/admin/accounts/${account.id}">\
${account.email}</a><span class="meta below">${account.id}</span>`),
      renderAccountStatus(messages, account.status),
      formatYuan(account.cash),
      formatYuan(account.vouchers),
      // The stored count belongs to the month of the last call.
      account.month === month ? (account.monthCalls ?? 0) : 0,
      singleLineCell(renderDateTime({ site, world }, account.createdAt)),
    ]),
  );
}

export function renderAccountStatus(
  messages: ReturnType<typeof adminMessages>,
  status: FoundAccount['status'],
): Html {
  const className = status === 'active' ? 'positive' : 'negative';
  return html`<span class="${className}">${messages.accountStatuses[status]}</span>`;
}
