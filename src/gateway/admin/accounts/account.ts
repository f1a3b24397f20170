// Renders the page of an account: balances, keys without their text, recent calls, money movements
// and actions.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderListTable,
  rowHeading,
  singleLineCell,
  type TableRow,
} from '../../../kernel/web/list-table.ts';
import type { Account } from '../../accounts/account.ts';
import {
  type AccountLimits,
  findAccountLimits,
  readRatesOfKeys,
} from '../../accounts/account-limits.ts';
import { isEnded, listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import { type AccountMoney, readStoredAccountMoney } from '../../wallet/history/read-account.ts';
import { listCalls } from '../../wallet/history/read-calls.ts';
import { listTransactions } from '../../wallet/history/read-transactions.ts';
import { readDebt } from '../../wallet/top-ups/list-top-ups.ts';
import { renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { type Fact, renderFacts, renderFilters } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from '../money/format-money.ts';
import { renderCallsTable } from './account-calls.ts';
import { renderAccountStatus } from './accounts.ts';
import { isLive, requireAccount } from './find-account.ts';

const SHOWN_CALLS = 8;
const SHOWN_ENTRIES = 12;

export async function accountPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const account = await requireAccount(context, request);
  const livemode = isLive(request);
  const wallet = { accountId: account.id, livemode };
  const money = await readStoredAccountMoney(world, db, wallet);
  const owed = livemode ? await readDebt(db, account.id) : 0n;
  const limits = await findAccountLimits(db, account.id);
  const page = await listCalls(db, { ...wallet, cursor: null, limit: SHOWN_CALLS, mayLag: true });
  const calls = page?.calls ?? [];
  const path = `/admin/accounts/${account.id}`;
  const mode = livemode ? '' : '?mode=test';
  const moreLink = html`<p class="more"><a class="link" href="${path}/calls${mode}">\
${messages.allCalls} →</a></p>`;
  const query = new URLSearchParams({ q: account.id });
  const topUpsLink = html`<p class="more"><a class="link" href="/admin/top-ups?${String(query)}">\
${messages.allTopUps} →</a></p>`;
  return {
    kind: 'page',
    title: account.email,
    section: 'accounts',
    main: html`${renderPageHead(account.email, null, renderActionLinks(context, account))}
${renderDoneNotice(context, request)}
${account.status === 'suspended' && html`<div class="notice"><p>${messages.isSuspended}</p></div>`}
${account.status === 'deleted' && html`<div class="notice"><p>${messages.isDeleted}</p></div>`}
${renderFilters({ path, name: 'mode', chosen: livemode ? null : 'test' }, [
  { value: null, label: messages.live },
  { value: 'test', label: messages.test },
])}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.money}</h2>${renderMoney(context, money, owed)}</section>
<section class="part"><h2 class="side">${messages.keys}</h2>
${await renderKeys(context, account.id, livemode)}</section>
<section class="part"><h2 class="side">${messages.lastCalls}</h2>
${
  calls.length === 0
    ? html`<p class="empty">${messages.noCalls}</p>`
    : html`${renderCallsTable(context, account.id, calls)}${page?.nextCursor && moreLink}`
}</section>
<section class="part"><h2 class="side">${messages.transactions}</h2>
${await renderTransactions(context, wallet)}${livemode && topUpsLink}</section>
</div><aside><h2 class="side">${messages.facts}</h2>\
${renderAccountFacts(context, account, { money, limits })}</aside></div>
${await renderAuditPart(context, { kind: 'account', subject: account.id })}`,
  };
}

function renderActionLinks(context: GatewayAdminContext, { id, status }: Account): Html {
  if (status === 'deleted') return nothing;
  const messages = adminMessages(context.site.language);
  const renderLink = (action: string, label: string) =>
    html`<a class="button quiet" href="/admin/accounts/${id}/${action}">${label}</a>`;
  return html`<div class="acts">${renderLink('credit', messages.credit)}\
${renderLink('voucher', messages.giveVoucher)}\
${renderLink('limits', messages.setLimits)}${
  status === 'active'
    ? renderLink('suspend', messages.suspend)
    : renderLink('resume', messages.resume)
}${renderLink('delete', messages.deleteAccount)}</div>`;
}

function renderMoney(
  { site, world }: GatewayAdminContext,
  { balance, vouchers, allowance }: AccountMoney,
  owed: MicroFen,
): Html {
  const messages = adminMessages(site.language);
  const rows: TableRow[] = [
    renderRow(messages.cash, formatYuan(balance.cash)),
    renderRow(messages.heldForCalls, formatYuan(balance.held)),
    ...(owed > 0n ? [renderRow(messages.owedForPayments, formatYuan(owed))] : []),
    renderRow(
      messages.allowanceToday,
      messages.of(formatYuan(allowance.remaining), formatYuan(allowance.amount)),
    ),
    ...vouchers.map(({ name, amount, remaining, expiresAt }) =>
      renderRow(
        html`${name}<span class="meta below">${messages.voucher}${
          expiresAt !== null &&
          html` · ${messages.until} ${renderDateTime({ site, world }, expiresAt)}`
        }</span>`,
        messages.of(formatYuan(remaining), formatYuan(amount)),
      ),
    ),
  ];
  return renderListTable(
    [{ label: messages.what }, { label: messages.amount, isNumber: true }],
    rows,
  );
}

const renderRow = (name: Html | string, value: string) => [rowHeading(name), value];

async function renderKeys(
  context: GatewayAdminContext,
  accountId: string,
  livemode: boolean,
): Promise<Html> {
  const { db, world, site } = context;
  const messages = adminMessages(site.language);
  const keys = (await listKeys(db, accountId)).filter((key) => key.livemode === livemode);
  if (keys.length === 0) return html`<p class="empty">${messages.noKeys}</p>`;
  const rates = await readRatesOfKeys(
    db,
    keys.map(({ id }) => id),
  );
  const rateOf = ({ id }: Key) => {
    const rate = rates.get(id);
    return rate === undefined ? messages.asAccount : messages.rate(rate.perSecond, rate.burst);
  };
  return renderListTable(
    [
      { label: messages.key },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.rateOfKey },
      { label: messages.lastUsed },
    ],
    keys.map((key) => {
      const hasEnded = isEnded(key, world.clock.now());
      return [
        rowHeading(html`${key.name}\
<span class="meta below"><code>${key.prefix}…${key.last4}</code></span>`),
        html`<span class="${hasEnded ? 'warning' : 'positive'}">\
${hasEnded ? messages.keyEnded : messages.keyWorks}</span>`,
        singleLineCell(
          hasEnded
            ? rateOf(key)
            : html`<a href="/admin/accounts/${accountId}/keys/${key.id}">${rateOf(key)}</a>`,
        ),
        singleLineCell(
          key.lastUsedAt === null ? '–' : renderDateTime({ site, world }, key.lastUsedAt),
        ),
      ];
    }),
  );
}

async function renderTransactions(
  { db, site, world }: GatewayAdminContext,
  wallet: { readonly accountId: string; readonly livemode: boolean },
): Promise<Html> {
  const messages = adminMessages(site.language);
  const entries = await listTransactions(db, { ...wallet, before: null, limit: SHOWN_ENTRIES });
  if (entries.length === 0) return html`<p class="empty">${messages.noTransactions}</p>`;
  return renderListTable(
    [
      { label: messages.at, isSelfExplanatory: true },
      { label: messages.what },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
    ],
    entries.map(({ at, kind, moves, reason, actor }) => {
      // A transfer out of cash or an expiry reduces the account's money.
      const isOutgoing = moves[0]?.source === 'cash' || kind === 'expiry';
      const amount = moves.reduce((sum, move) => sum + move.amount, 0n);
      return [
        singleLineCell(renderDateTime({ site, world }, at)),
        rowHeading(
          html`${messages.entryKinds[kind] ?? kind}${
            (reason !== null || actor !== null) &&
            html`<span class="meta below">${[actor, reason].filter(Boolean).join(': ')}</span>`
          }`,
        ),
        formatYuan(isOutgoing ? -amount : amount),
      ];
    }),
    { isStacked: true },
  );
}

function renderAccountFacts(
  { limits: defaultLimits, site, world }: GatewayAdminContext,
  account: Account,
  { money, limits }: { readonly money: AccountMoney; readonly limits: AccountLimits | null },
): Html {
  const messages = adminMessages(site.language);
  const rate = limits?.rate ?? defaultLimits.rate;
  const { day, month } = money.quotas;
  const rows: readonly Fact[] = [
    [messages.condition, renderAccountStatus(messages, account.status)],
    [messages.id, html`<code>${account.id}</code>`],
    [messages.since, renderDateTime({ site, world }, account.createdAt)],
    [messages.callsToday, messages.of(day.used, limits?.callsPerDay ?? defaultLimits.callsPerDay)],
    [
      messages.callsThisMonth,
      messages.of(month.used, limits?.callsPerMonth ?? defaultLimits.callsPerMonth),
    ],
    [messages.rateOfKeys, messages.rate(rate.perSecond, rate.burst)],
  ];
  return renderFacts(rows);
}
