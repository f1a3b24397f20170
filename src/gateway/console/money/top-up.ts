// Starts a top-up, sends the customer to the provider's page and shows the result afterwards. The
// page syncs with the provider, so the customer need not wait for the webhook.

import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { MICRO_FEN_PER_FEN, type MicroFen, parseTypedCny } from '../../../kernel/money.ts';
import { pageNotFound } from '../../../kernel/web/form-handler.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { sumFailedRefunds } from '../../wallet/top-ups/list-top-ups.ts';
import type { TopUp } from '../../wallet/top-ups/top-up.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { formatCount, formatYuan } from './money-parts.ts';

type PageResult = Extract<ConsoleResponse, { kind: 'page' }>;

const MICRO_FEN_PER_CNY = 100n * MICRO_FEN_PER_FEN;
const formatWholeYuan = (amount: number): string => formatYuan(BigInt(amount) * MICRO_FEN_PER_CNY);

export async function topUpPage(context: ConsoleContext): Promise<ConsoleResponse> {
  return renderTopUpPage(context, '', {});
}

function renderTopUpPage(
  context: ConsoleContext,
  formInput: string,
  errors: FieldErrors,
): PageResult {
  const { topUps, livemode, site } = context;
  const messages = moneyMessages(site.language);
  const isRefused = Object.keys(errors).length > 0;
  const liveBody = topUps.isConfigured
    ? renderAmountForm(context, formInput, errors, messages)
    : renderNotConfigured(site.url, messages);
  const testBody = html`<p class="explains">${messages.topUpTest}</p>
<p><a class="button quiet" href="/console/wallet">${messages.toWallet}</a></p>`;
  const body = livemode ? liveBody : testBody;
  const about = livemode && topUps.isConfigured ? messages.topUpAbout : null;
  return {
    kind: 'page',
    ...(isRefused && { status: 400 }),
    title: messages.topUp,
    body: html`${renderPageHead(messages.topUp, about)}${body}`,
  };
}

function renderNotConfigured(siteUrl: string, messages: MoneyMessages): Html {
  return html`<div class="empty"><h2>${messages.topUpNone}</h2><p>${messages.topUpNoneAbout}</p>
<p class="spaced"><code>${siteUrl}/webhooks/stripe</code></p></div>`;
}

function renderAmountForm(
  context: ConsoleContext,
  formInput: string,
  errors: FieldErrors,
  messages: MoneyMessages,
): Html {
  const { minimum, maximum, amounts } = context.topUps.offer;
  const action = '/console/top-up';
  return html`${renderErrorSummary(context, errors)}
${renderPostForm(
  context,
  { action },
  html`${renderTextField({
    name: 'amount',
    label: messages.amountLabel,
    value: formInput,
    inputMode: 'decimal',
    help: messages.amountHelp(formatWholeYuan(minimum), formatWholeYuan(maximum)),
    error: errors.amount,
    autocomplete: 'off',
    isRequired: true,
  })}${renderButton(messages.continueToPayment)}`,
)}
${
  amounts.length > 0 &&
  html`<h2 class="side spaced">${messages.amountOffered}</h2>
${renderPostForm(
  context,
  { action },
  html`<div class="acts">${amounts.map(
    (amount) =>
      html`<button class="quiet" name="amount" value="${amount}">¥${formatCount(amount)}</button>`,
  )}</div>`,
)}`
}`;
}

export async function beginTopUp(
  context: ConsoleContext,
  { form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { topUps, account, livemode, site, world } = context;
  const messages = moneyMessages(site.language);
  if (!livemode || !topUps.isConfigured) return renderTopUpPage(context, '', {});
  const formInput = (form.get('amount') ?? '').slice(0, 40);
  const { minimum, maximum } = topUps.offer;
  const amount = parseAmount(formInput);
  const isPermitted =
    amount !== null &&
    amount >= BigInt(minimum) * MICRO_FEN_PER_CNY &&
    amount <= BigInt(maximum) * MICRO_FEN_PER_CNY;
  if (!isPermitted) {
    return renderTopUpPage(context, formInput, {
      amount: messages.invalidAmount(formatWholeYuan(minimum), formatWholeYuan(maximum)),
    });
  }
  try {
    const input = { accountId: account.id, amount, email: account.email, language: site.language };
    const { id } = await topUps.begin(input);
    return { kind: 'moved', to: `/console/top-up/${id}?from=form` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'rate_limited') {
      const problem = messages.tooManyTopUps(error.retryAfterSeconds ?? 1);
      return { ...renderTopUpPage(context, formInput, { amount: problem }), status: 429 };
    }
    if (error.code !== 'temporarily_unavailable') throw error;
    world.log.error({ account: account.id, internal: error.internal }, messageOf(error));
    return {
      ...renderTopUpPage(context, formInput, { amount: messages.checkoutUnavailable }),
      status: 503,
    };
  }
}

/** Parses `100`, `99.5` or `1,000`; null: not an amount in whole fen. */
function parseAmount(formInput: string): MicroFen | null {
  const amount = parseTypedCny(formInput);
  return amount !== null && amount % MICRO_FEN_PER_FEN === 0n ? amount : null;
}

/** Finds a top-up of the account. Throws the fault of a missing page when there is none. */
export async function requireOwnTopUp(
  { topUps, account }: ConsoleContext,
  id: string,
): Promise<TopUp> {
  // Other text cannot be an id, so it needs no query.
  const topUp = /^tu_[0-9a-f]{24}$/.test(id) ? await topUps.find(id, account.id) : null;
  if (topUp === null) throw pageNotFound();
  return topUp;
}

/** This page syncs a top-up with the provider at most twice a second. */
const MIN_SYNC_INTERVAL_MS = 500;

export async function topUpStatusPage(
  context: ConsoleContext,
  { params, query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { topUps, world, site } = context;
  const messages = moneyMessages(site.language);
  const id = params.id ?? '';
  const foundTopUp = await requireOwnTopUp(context, id);
  let topUp = foundTopUp;
  let isUnavailable = false;
  const canChange = ['begun', 'open', 'processing'].includes(foundTopUp.state);
  if (canChange && world.clock.now() - foundTopUp.syncedAt >= MIN_SYNC_INTERVAL_MS) {
    try {
      topUp = (await topUps.sync(id)) ?? foundTopUp;
    } catch (error) {
      // The webhook or the periodic sync will still credit the top-up later.
      world.log.warn({ topUp: id, error: messageOf(error) }, 'a top-up cannot be synced');
      isUnavailable = true;
    }
  }
  const from = query.get('from');
  const hasReturned = topUp.state === 'open' && from === 'checkout';
  const isWaiting = topUp.state === 'processing' || hasReturned;
  // The Content-Security-Policy has form-action 'self', so the response to a form cannot redirect
  // to another site. The refresh header redirects instead.
  const redirectsToCheckout = from === 'form' && topUp.state === 'open' && topUp.payUrl !== null;
  const title =
    topUp.state === 'credited' ? messages.credited(formatYuan(topUp.amount)) : messages.topUp;
  const failedRefunds = await sumFailedRefunds(context.db, id);
  return {
    kind: 'page',
    title,
    ...(redirectsToCheckout && { headers: { refresh: `0; url=${topUp.payUrl}` } }),
    body: html`<div data-live${isWaiting && html` data-refresh`}>${renderPageHead(
      topUp.state === 'open' ? messages.pay(formatYuan(topUp.amount)) : title,
      null,
    )}
${isUnavailable && html`<div class="notice"><p>${messages.providerUnreachable}</p></div>`}
${from === 'canceled' && topUp.state === 'open' && html`<p class="notice">${messages.canceled}</p>`}
${hasReturned && html`<p class="notice" role="status">${messages.notConfirmed}</p>`}
${renderStatus(context, { ...topUp, failedRefunds }, messages)}\
</div>`,
  };
}

type TopUpView = TopUp & {
  /** The sum of failed refunds. */
  readonly failedRefunds: MicroFen;
};

function renderStatus(
  { site, world }: ConsoleContext,
  topUp: TopUpView,
  messages: MoneyMessages,
): Html {
  const { state, payUrl, amount, refunded, disputed, unreclaimed, failedRefunds } = topUp;
  const tone = { credited: 'positive', failed: 'negative', refused: 'negative' }[state as string];
  const canStartAgain = state === 'expired' || state === 'failed' || state === 'begun';
  return html`${
    payUrl !== null
      ? html`<p class="explains">${messages.payOn(new URL(payUrl).host)}</p>
<p class="acts"><a class="button" href="${payUrl}">${messages.payDo(formatYuan(amount))}</a>
<a class="button quiet" href="/console/wallet">${messages.toWallet}</a></p>`
      : html`<p class="explains${tone && ` ${tone}`}">${messages.topUpExplanations[state]}</p>
<p class="acts"><a class="button${canStartAgain && ' quiet'}" href="/console/wallet">\
${messages.toWallet}</a>
${
  topUp.creditedAt !== null &&
  html`<a class="button quiet" href="/console/top-up/${topUp.id}/receipt">\
${statementMessages(site.language).toReceipt}</a>`
}
${canStartAgain && html`<a class="button" href="/console/top-up">${messages.tryAgain}</a>`}</p>`
  }
${
  refunded + disputed + failedRefunds > 0n &&
  html`<div class="notice">${
    failedRefunds > 0n && html`<p>${messages.refundFailedOf(formatYuan(failedRefunds))}</p>`
  }${refunded > 0n && html`<p>${messages.refundedOf(formatYuan(refunded))}</p>`}\
${disputed > 0n && html`<p>${messages.disputedOf(formatYuan(disputed))}</p>`}\
${unreclaimed > 0n && html`<p>${messages.shortOf(formatYuan(unreclaimed))}</p>`}</div>`
}
<dl class="facts spaced"><dt>${messages.amount}</dt><dd>${formatYuan(amount)}</dd>
<dt>${messages.state}</dt><dd>${messages.topUpStates[state]}</dd>
<dt>${messages.begunAt}</dt><dd>${renderDateTime({ site, world }, topUp.begunAt)}</dd>
${
  topUp.creditedAt !== null &&
  html`<dt>${messages.creditedAt}</dt><dd>${renderDateTime({ site, world }, topUp.creditedAt)}</dd>`
}
<dt>${messages.reference}</dt><dd><code>${topUp.id}</code></dd>
${
  topUp.sessionId !== null &&
  html`<dt>${messages.sessionOf}</dt><dd><code>${topUp.sessionId}</code></dd>`
}</dl>
${topUp.isRealMoney === false && html`<p class="meta spaced">${messages.testMode}</p>`}`;
}
