// Account page: balances, keys without their text, recent calls, money movements and actions.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import {
  listTable,
  rowHeading,
  singleLineCell,
  type TableRow,
} from '../../../kernel/web/list-table.ts';
import type { Account } from '../../accounts/account.ts';
import { type AccountLimits, accountLimits, keyRates } from '../../accounts/account-limits.ts';
import { isEnded, listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import { type AccountMoney, readStoredAccountMoney } from '../../wallet/history/read-account.ts';
import { listCalls } from '../../wallet/history/read-calls.ts';
import { listTransactions } from '../../wallet/history/read-transactions.ts';
import { owedOf } from '../../wallet/top-ups/list-top-ups.ts';
import { doneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { auditPart } from '../audit.ts';
import { type Fact, factList, filterList } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { yuan } from '../money/format-money.ts';
import { callsTable } from './account-calls.ts';
import { accountStatus } from './accounts.ts';
import { isLive, requireAccount } from './find-account.ts';

const CALLS = 8;
const ENTRIES = 12;

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
  const owed = livemode ? await owedOf(db, account.id) : 0n;
  const limits = await accountLimits(db, account.id);
  const page = await listCalls(db, { ...wallet, cursor: null, limit: CALLS, mayLag: true });
  const calls = page?.calls ?? [];
  const path = `/admin/accounts/${account.id}`;
  const mode = livemode ? '' : '?mode=test';
  const more = html`<p class="more"><a class="link" href="${path}/calls${mode}">\
${messages.allCalls} →</a></p>`;
  const query = new URLSearchParams({ q: account.id });
  const paid = html`<p class="more"><a class="link" href="/admin/top-ups?${String(query)}">\
${messages.allTopUps} →</a></p>`;
  return {
    kind: 'page',
    title: account.email,
    section: 'accounts',
    main: html`${pageHead(account.email, null, actionLinks(context, account))}
${doneNotice(context, request)}
${account.status === 'suspended' && html`<div class="notice"><p>${messages.isSuspended}</p></div>`}
${account.status === 'deleted' && html`<div class="notice"><p>${messages.isDeleted}</p></div>`}
${filterList({ path, name: 'mode', chosen: livemode ? null : 'test' }, [
  { value: null, label: messages.live },
  { value: 'test', label: messages.test },
])}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.money}</h2>${moneyPart(context, money, owed)}</section>
<section class="part"><h2 class="side">${messages.keys}</h2>
${await keysPart(context, account.id, livemode)}</section>
<section class="part"><h2 class="side">${messages.lastCalls}</h2>
${
  calls.length === 0
    ? html`<p class="empty">${messages.noCalls}</p>`
    : html`${callsTable(context, account.id, calls)}${page?.nextCursor && more}`
}</section>
<section class="part"><h2 class="side">${messages.transactions}</h2>
${await transactionsPart(context, wallet)}${livemode && paid}</section>
</div><aside><h2 class="side">${messages.facts}</h2>\
${facts(context, account, { money, limits })}</aside></div>
${await auditPart(context, { kind: 'account', subject: account.id })}`,
  };
}

function actionLinks(context: GatewayAdminContext, { id, status }: Account): Html {
  if (status === 'deleted') return nothing;
  const messages = adminMessages(context.site.language);
  const link = (act: string, label: string) =>
    html`<a class="button quiet" href="/admin/accounts/${id}/${act}">${label}</a>`;
  return html`<div class="acts">${link('credit', messages.credit)}\
${link('voucher', messages.giveVoucher)}\
${link('limits', messages.setLimits)}${
  status === 'active' ? link('suspend', messages.suspend) : link('resume', messages.resume)
}${link('delete', messages.deleteAccount)}</div>`;
}

function moneyPart(
  { site, world }: GatewayAdminContext,
  { balance, vouchers, allowance }: AccountMoney,
  owed: MicroFen,
): Html {
  const messages = adminMessages(site.language);
  const rows: TableRow[] = [
    row(messages.cash, yuan(balance.cash)),
    row(messages.heldForCalls, yuan(balance.held)),
    ...(owed > 0n ? [row(messages.owedForPayments, yuan(owed))] : []),
    row(messages.allowanceToday, messages.of(yuan(allowance.remaining), yuan(allowance.amount))),
    ...vouchers.map(({ name, amount, remaining, expiresAt }) =>
      row(
        html`${name}<span class="meta below">${messages.voucher}${
          expiresAt !== null && html` · ${messages.until} ${dateTime({ site, world }, expiresAt)}`
        }</span>`,
        messages.of(yuan(remaining), yuan(amount)),
      ),
    ),
  ];
  return listTable([{ label: messages.what }, { label: messages.amount, isNumber: true }], rows);
}

const row = (name: Html | string, value: string) => [rowHeading(name), value];

async function keysPart(
  context: GatewayAdminContext,
  accountId: string,
  livemode: boolean,
): Promise<Html> {
  const { db, world, site } = context;
  const messages = adminMessages(site.language);
  const keys = (await listKeys(db, accountId)).filter((key) => key.livemode === livemode);
  if (keys.length === 0) return html`<p class="empty">${messages.noKeys}</p>`;
  const rates = await keyRates(
    db,
    keys.map(({ id }) => id),
  );
  const rateOf = ({ id }: Key) => {
    const rate = rates.get(id);
    return rate === undefined ? messages.asAccount : messages.rate(rate.perSecond, rate.burst);
  };
  return listTable(
    [
      { label: messages.key },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.rateOfKey },
      { label: messages.lastUsed },
    ],
    keys.map((key) => {
      const ended = isEnded(key, world.clock.now());
      return [
        rowHeading(html`${key.name}\
<span class="meta below"><code>${key.prefix}…${key.last4}</code></span>`),
        html`<span class="${ended ? 'warning' : 'positive'}">\
${ended ? messages.keyEnded : messages.keyWorks}</span>`,
        singleLineCell(
          ended
            ? rateOf(key)
            : html`<a href="/admin/accounts/${accountId}/keys/${key.id}">${rateOf(key)}</a>`,
        ),
        singleLineCell(key.lastUsedAt === null ? '–' : dateTime({ site, world }, key.lastUsedAt)),
      ];
    }),
  );
}

async function transactionsPart(
  { db, site, world }: GatewayAdminContext,
  wallet: { readonly accountId: string; readonly livemode: boolean },
): Promise<Html> {
  const messages = adminMessages(site.language);
  const entries = await listTransactions(db, { ...wallet, before: null, limit: ENTRIES });
  if (entries.length === 0) return html`<p class="empty">${messages.noTransactions}</p>`;
  return listTable(
    [
      { label: messages.at, isSelfExplanatory: true },
      { label: messages.what },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
    ],
    entries.map(({ at, kind, moves, reason, actor }) => {
      const isOut = moves[0]?.source === 'cash' || kind === 'expiry';
      const amount = moves.reduce((sum, move) => sum + move.amount, 0n);
      return [
        singleLineCell(dateTime({ site, world }, at)),
        rowHeading(
          html`${messages.entryKinds[kind] ?? kind}${
            (reason !== null || actor !== null) &&
            html`<span class="meta below">${[actor, reason].filter(Boolean).join(': ')}</span>`
          }`,
        ),
        yuan(isOut ? -amount : amount),
      ];
    }),
    { stacks: true },
  );
}

function facts(
  { limits: installation, site, world }: GatewayAdminContext,
  account: Account,
  { money, limits }: { readonly money: AccountMoney; readonly limits: AccountLimits | null },
): Html {
  const messages = adminMessages(site.language);
  const rate = limits?.rate ?? installation.rate;
  const { day, month } = money.quotas;
  const rows: readonly Fact[] = [
    [messages.condition, accountStatus(messages, account.status)],
    [messages.id, html`<code>${account.id}</code>`],
    [messages.since, dateTime({ site, world }, account.createdAt)],
    [messages.callsToday, messages.of(day.used, limits?.callsPerDay ?? installation.callsPerDay)],
    [
      messages.callsThisMonth,
      messages.of(month.used, limits?.callsPerMonth ?? installation.callsPerMonth),
    ],
    [messages.rateOfKeys, messages.rate(rate.perSecond, rate.burst)],
  ];
  return factList(rows);
}
