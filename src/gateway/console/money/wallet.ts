// The wallet: balances in order of use, holds, and a form to redeem a code. In test mode this page
// shows the test balances.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDuration, renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { findAccountLimits } from '../../accounts/account-limits.ts';
import { isAllowanceCapped } from '../../wallet/credits/allowance-cap.ts';
import { type AccountMoney, readAccountMoney } from '../../wallet/history/read-account.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { spendingMessages } from '../messages/spending.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderForecast } from './forecast-part.ts';
import { formatCount, formatYuan } from './money-parts.ts';

/** The expiry of a voucher within this time is shown as a warning. */
const SOON_MS = 7 * DAY_MS;

type VoucherFormState = { readonly code: string; readonly errors: FieldErrors };

export async function walletPage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  return renderWallet(context, { code: '', errors: {} }, query.get('redeemed'));
}

async function renderWallet(
  context: ConsoleContext,
  formInput: VoucherFormState,
  redeemedId: string | null,
): Promise<ConsoleResponse> {
  const { world, db, account, livemode, site } = context;
  const messages = moneyMessages(site.language);
  const money = await readAccountMoney(world, db, { accountId: account.id, livemode });
  const isCapped =
    livemode && money.allowance.amount === 0n && (await isAllowanceCapped(world, db, account.id));
  const redeemedVoucher = money.vouchers.find(({ id }) => id === redeemedId);
  const isRefused = Object.keys(formInput.errors).length > 0;
  return {
    kind: 'page',
    ...(isRefused && { status: 400 }),
    title: messages.wallet,
    body: html`${renderPageHead(
      messages.wallet,
      livemode ? messages.walletAbout : messages.walletAboutTest,
      livemode ? html`<a class="button" href="/console/top-up">${messages.topUp}</a>` : null,
    )}
${
  redeemedVoucher &&
  html`<div class="notice positive" role="status"><p>${messages.redeemed(
    formatYuan(redeemedVoucher.amount),
    redeemedVoucher.name,
  )}</p></div>`
}${renderErrorSummary(context, formInput.errors)}
<div class="two wide-side"><div>
${renderBalance(context, money, messages)}
${isCapped && html`<p class="notice">${messages.allowanceCapped}</p>`}\
${await renderSources(context, money, messages)}
${await renderForecast(context, money)}</div><aside>
${renderRedeemForm(context, formInput, messages)}
${await renderLatestTopUps(context, messages)}
<p class="more"><a href="/console/statements">\
${statementMessages(site.language).statements} →</a></p>
</aside></div>`,
  };
}

function renderBalance(
  { site }: ConsoleContext,
  { balance: { total, held }, allowance }: AccountMoney,
  pageMessages: MoneyMessages,
): Html {
  const messages = spendingMessages(site.language);
  const about =
    allowance.remaining > 0n
      ? messages.spendableOf(formatYuan(allowance.remaining), formatYuan(total))
      : pageMessages.balanceOf;
  return html`<dl class="sums"><div><dt>${messages.spendable}</dt>
<dd class="sum">${formatYuan(total + allowance.remaining)}</dd><dd class="meta">${about}</dd></div>
${
  held > 0n &&
  html`<div><dt>${pageMessages.held}</dt><dd class="sum">${formatYuan(held)}</dd>
<dd class="meta">${pageMessages.heldAbout}</dd></div>`
}</dl>`;
}

async function renderSources(
  context: ConsoleContext,
  money: AccountMoney,
  messages: MoneyMessages,
): Promise<Html> {
  const { world, db, account, site, limits } = context;
  const { language } = site;
  const ownLimits = await findAccountLimits(db, account.id);
  const now = world.clock.now();
  const {
    allowance,
    vouchers,
    balance: { cash },
    quotas,
  } = money;
  const renderExpiry = (at: number | null, before = '') => {
    if (at === null) return html`${messages.never}`;
    // With a text before the time, the time is a renewal and not an expiry.
    const isExpiringSoon = before === '' && at - now < SOON_MS;
    return html`${before} ${renderDateTime(context, at)}<span class="below meta\
${isExpiringSoon && ' warning'}">${messages.inSpan(formatDuration(language, at - now))}</span>`;
  };
  const renderRow = (name: string, remaining: string, total: string | null, expiry: Html) => [
    rowHeading(name),
    html`${remaining}${
      total !== null && html`<span class="below meta">${messages.of(total)}</span>`
    }`,
    expiry,
  ];
  const allowanceExpiry = renderExpiry(allowance.resetsAt, messages.allowanceResets);
  const table = renderListTable(
    [
      { label: messages.source },
      { label: messages.remaining, isNumber: true },
      { label: messages.ends },
    ],
    [
      renderRow(
        messages.allowance,
        formatYuan(allowance.remaining),
        formatYuan(allowance.amount),
        allowanceExpiry,
      ),
      ...vouchers.map(({ name, remaining, amount, expiresAt }) =>
        renderRow(name, formatYuan(remaining), formatYuan(amount), renderExpiry(expiresAt)),
      ),
      renderRow(messages.cash, formatYuan(cash), null, renderExpiry(null)),
    ],
    { isStacked: true },
  );
  return html`${table}
${vouchers.length === 0 && html`<p class="meta spaced">${messages.noVouchers}</p>`}
<dl class="facts spaced"><dt>${messages.callsToday}</dt><dd>${messages.quota(
    formatCount(quotas.day.used),
    formatCount(ownLimits?.callsPerDay ?? limits.callsPerDay),
  )}</dd>
<dt>${messages.callsMonth}</dt><dd>${messages.quota(
    formatCount(quotas.month.used),
    formatCount(ownLimits?.callsPerMonth ?? limits.callsPerMonth),
  )}</dd></dl>`;
}

function renderRedeemForm(
  context: ConsoleContext,
  { code, errors }: VoucherFormState,
  messages: MoneyMessages,
): Html {
  const head = html`<h2 class="side">${messages.redeem}</h2>`;
  if (!context.livemode) return html`${head}<p class="meta">${messages.redeemLiveOnly}</p>`;
  return html`${head}${renderPostForm(
    context,
    { action: '/console/wallet/redeem' },
    html`${renderTextField({
      name: 'code',
      label: messages.redeemLabel,
      value: code,
      help: messages.redeemHelp,
      error: errors.code,
      isRequired: true,
      autocomplete: 'off',
    })}${renderButton(messages.redeemDo, 'quiet')}`,
  )}`;
}

const SHOWN_TOP_UPS = 5;

/** Renders the latest top-ups with their states. */
async function renderLatestTopUps(context: ConsoleContext, messages: MoneyMessages): Promise<Html> {
  const { topUps, account, livemode, site, world } = context;
  if (!livemode) return nothing;
  const latestTopUps = await topUps.list(account.id, SHOWN_TOP_UPS);
  return html`<h2 class="side spaced">${messages.topUps}</h2>
${
  latestTopUps.length === 0
    ? html`<p class="meta">${messages.noTopUps}</p>`
    : html`<ul class="side-list">${latestTopUps.map(
        ({ id, amount, state, begunAt }) =>
          html`<li><a href="/console/top-up/${id}">${formatYuan(amount)}</a> \
${messages.topUpStates[state]}
<span class="meta">${renderDateTime({ site, world }, begunAt)}</span></li>
`,
      )}</ul>`
}`;
}

export async function redeemCode(
  context: ConsoleContext,
  { form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const messages = moneyMessages(context.site.language);
  const code = (form.get('code') ?? '').slice(0, 200);
  if (!context.livemode) {
    return renderWallet(context, { code, errors: { code: messages.redeemLiveOnly } }, null);
  }
  const request = { accountId: context.account.id, client: from.client, input: code };
  const redemption = await context.codes.redeem(request);
  if (redemption.kind === 'redeemed') {
    return { kind: 'moved', to: `/console/wallet?redeemed=${redemption.voucherId}` };
  }
  const problem =
    redemption.kind === 'too_many'
      ? messages.tooManyCodes(Math.ceil(redemption.waitMs / 1000))
      : messages.redeemProblems[redemption.kind];
  return renderWallet(context, { code, errors: { code: problem } }, null);
}
