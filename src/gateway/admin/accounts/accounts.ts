// List of all accounts with balance and calls, with a search by address or id.

import { type Html, html } from '../../../kernel/html/html.ts';
import { periodsAt } from '../../../kernel/time/calendar.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { listTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { accountCounts, type FoundAccount, findAccounts } from '../../accounts/find-accounts.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { filterList, olderLink, skipOf } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { yuan } from '../money/format-money.ts';

const LIMIT = 50;

export async function accountsPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const formInput = (query.get('q') ?? '').slice(0, 254);
  const status = (['active', 'suspended', 'deleted'] as const).find(
    (status) => status === query.get('status'),
  );
  const skip = skipOf(query);
  const search = { words: formInput, status: status ?? null, limit: LIMIT + 1, skip };
  const found = await findAccounts(world, db, search);
  const counts = await accountCounts(db);
  const filters = { ...(formInput !== '' && { q: formInput }), ...(status && { status }) };
  return {
    kind: 'page',
    title: messages.sections.accounts,
    section: 'accounts',
    main: html`${pageHead(messages.sections.accounts, messages.accountsAbout(counts))}
<form class="bar" method="get" action="/admin/accounts" role="search"><div class="grows">\
<label class="over" for="f-q">${messages.searchAccounts}</label>
<input id="f-q" name="q" type="search" value="${formInput}"></div>
${status && html`<input type="hidden" name="status" value="${status}">`}\
<button class="quiet">${messages.search}</button></form>
${filterList({ path: '/admin/accounts', name: 'status', chosen: status ?? null }, [
  { value: null, label: messages.everyone },
  { value: 'active', label: messages.accountStatuses.active },
  { value: 'suspended', label: messages.accountStatuses.suspended },
  { value: 'deleted', label: messages.accountStatuses.deleted },
])}
${
  found.length === 0
    ? html`<p class="empty">${messages.noAccounts}</p>`
    : table(context, found.slice(0, LIMIT))
}
${
  found.length > LIMIT &&
  olderLink(messages.older, '/admin/accounts', { ...filters, skip: skip + LIMIT })
}`,
  };
}

function table({ world, site }: GatewayAdminContext, accounts: readonly FoundAccount[]): Html {
  const messages = adminMessages(site.language);
  const { month } = periodsAt(world.clock.now());
  return listTable(
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
      accountStatus(messages, account.status),
      yuan(account.cash),
      yuan(account.vouchers),
      account.month === month ? (account.monthCalls ?? 0) : 0,
      singleLineCell(dateTime({ site, world }, account.createdAt)),
    ]),
  );
}

export function accountStatus(
  messages: ReturnType<typeof adminMessages>,
  status: FoundAccount['status'],
): Html {
  const className = status === 'active' ? 'positive' : 'negative';
  return html`<span class="${className}">${messages.accountStatuses[status]}</span>`;
}
