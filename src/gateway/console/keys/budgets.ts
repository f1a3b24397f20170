// The budget page: the spent part of each key's budget, and the balance below which the account
// receives an alert.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { formatCny, MAX_AMOUNT, parseTypedCny } from '../../../kernel/money.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { hasAlertMails, setAlertMails } from '../../accounts/account.ts';
import { editKey, isEnded, listKeys } from '../../keys/change-keys.ts';
import { listEndpoints } from '../../webhooks/endpoints.ts';
import {
  findBalanceAlert,
  type KeyBudget,
  readKeyBudgets,
  saveBalanceAlert,
} from '../../webhooks/raise-alerts.ts';
import { spendingMessages } from '../messages/spending.ts';
import { type WebhookMessages, webhookMessages } from '../messages/webhooks.ts';
import { formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithPageNotice, renderPageNotice } from '../shell/notice.ts';
import { ownerOf } from '../webhooks/webhook-form.ts';
import { readField } from './form-input.ts';
import { requireKey } from './key.ts';
import { parseKeyForm, toFormValues } from './key-form.ts';

const PATH = '/console/budgets';

export const budgetsPage = (context: ConsoleContext, request: ConsoleRequest) =>
  showBudgets(context, request, { formInput: null, error: undefined, status: 200 });

type BudgetsView = {
  /** The refused input for the budget of one key. */
  readonly refused?: { readonly keyId: string; readonly budget: string; readonly error: string };
  /** The input of a refused alert form; null: the stored values are shown. */
  readonly formInput: { readonly below: string; readonly isMailed: boolean } | null;
  readonly error: string | undefined;
  readonly status: number;
};

async function showBudgets(
  context: ConsoleContext,
  request: ConsoleRequest,
  { formInput, error, status, refused }: BudgetsView,
): Promise<ConsoleResponse> {
  const { world, db, site } = context;
  const messages = webhookMessages(site.language);
  const owner = ownerOf(context);
  const budgets = await readKeyBudgets(world, db, owner);
  const alert = await findBalanceAlert(db, owner);
  const enabledEndpoints = (await listEndpoints(db, owner)).filter(({ state }) => state === 'on');
  const isMailed = await hasAlertMails(db, owner.accountId);
  const hasRecipient = (event: 'balance.low' | 'budget.reached') =>
    isMailed || enabledEndpoints.some(({ events }) => events.includes(event));
  const list = await renderBudgets(context, budgets, refused);
  const below = formInput?.below ?? (alert === null ? '' : formatCny(alert.below));
  return {
    kind: 'page',
    status,
    title: messages.budgets,
    body: html`${renderPageHead(messages.budgets, messages.budgetsAbout)}
${renderPageNotice(messages.done, request)}\
${status === 409 && renderProblemNotice(messages.conflict)}\
${renderErrorSummary(context, {
  ...(error !== undefined && { below: error }),
  ...(refused !== undefined && { [`budget-${refused.keyId}`]: refused.error }),
})}
${list === nothing ? renderEmpty(messages) : list}
${budgets.length > 0 && !hasRecipient('budget.reached') && renderNoRecipient(messages)}
<section class="part narrow" id="alerts"><h2>${messages.balanceLine}</h2>
<p class="explains">${messages.balanceAbout}</p>
${
  alert !== null &&
  alert.lowSince !== null &&
  html`<p class="warning">${messages.lowSince} ${renderDateTime({ site, world }, alert.lowSince)}\
</p>`
}
${renderPostForm(
  context,
  { action: `${PATH}/balance`, version: alert?.version ?? 0 },
  html`${renderTextField({
    name: 'below',
    label: messages.below,
    value: below,
    help: messages.belowHelp,
    error,
    inputMode: 'decimal',
    autocomplete: 'off',
  })}${renderMailPart(context, messages, formInput?.isMailed ?? isMailed)}\
${renderButton(messages.save)}`,
)}
${alert !== null && !hasRecipient('balance.low') && renderNoRecipient(messages)}</section>`,
  };
}

/** Renders each active key with its spent budget and the form that sets the budget. */
async function renderBudgets(
  context: ConsoleContext,
  budgets: readonly KeyBudget[],
  refused: BudgetsView['refused'],
): Promise<Html> {
  const { world, db, account, livemode, site, messages: pageMessages } = context;
  const now = world.clock.now();
  const keys = (await listKeys(db, account.id)).filter(
    (key) => key.livemode === livemode && !isEnded(key, now),
  );
  if (keys.length === 0) return nothing;
  const messages = spendingMessages(site.language);
  const budgetMessages = webhookMessages(site.language);
  return html`<section class="part"><p class="explains">${pageMessages.budgetHelp}</p>
<ul class="budgets">${keys.map((key) => {
    const id = `budget-${key.id}`;
    const keyBudget = budgets.find(({ keyId }) => keyId === key.id);
    const isRefused = refused?.keyId === key.id;
    const { budget, period } = toFormValues(key);
    return html`<li><div><a href="/console/keys/${key.id}">${key.name}</a> \
<span class="mono">…${key.last4}</span>${keyBudget && renderSpent(keyBudget, budgetMessages)}</div>
${renderPostForm(
  context,
  { action: `${PATH}/key`, version: key.version },
  html`<input type="hidden" name="key" value="${key.id}">
<label class="hidden" for="f-${id}">${messages.budgetOf(key.name)}</label>
<input id="f-${id}" name="budget" type="text" inputmode="decimal" autocomplete="off" \
value="${isRefused ? refused.budget : budget}"${
    isRefused && html` aria-invalid="true" aria-describedby="e-${id}"`
  }>
<select name="period" aria-label="${pageMessages.per}: ${key.name}">${Object.entries(
    pageMessages.periods,
  ).map(
    ([value, label]) =>
      html`<option value="${value}"${value === period && html` selected`}>${label}</option>`,
  )}</select>
${renderButton(pageMessages.saveKey, 'quiet')}${
  isRefused && html`<p class="error" id="e-${id}">${refused.error}</p>`
}`,
)}</li>
`;
  })}</ul></section>`;
}

/** Changes the budget of one key. The other limits of the key are unchanged. */
export async function saveKeyBudget(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, messages, securityLog } = context;
  const { form, from } = request;
  const key = await requireKey(context, form.get('key') ?? '');
  const budget = readField(form, 'budget', 40);
  const inputTexts = { ...toFormValues(key), budget, period: readField(form, 'period', 20) };
  const renderRefused = (error: string, status: number) =>
    showBudgets(context, request, {
      formInput: null,
      error: undefined,
      status,
      refused: { keyId: key.id, budget, error },
    });
  const options = { now: world.clock.now(), mayKeepExpiry: key.expiresAt !== null };
  const input = parseKeyForm(messages, inputTexts, options);
  if (input.kind === 'invalid')
    return renderRefused(input.errors.budget ?? messages.budgetWrong, 422);
  const version = versionOf(form) ?? 0;
  const edit = { id: key.id, accountId: account.id, version, limits: input.limits };
  const owner = { accountId: account.id, origin: from };
  const editResult = await securityLog.record(owner, async (tx) => {
    const outcome = await editKey(world, tx, edit);
    const event = { kind: 'key_changed', subject: key.name } as const;
    return { outcome, event: outcome.kind === 'saved' ? event : null };
  });
  if (editResult.kind === 'saved') return redirectWithPageNotice(PATH, 'saved');
  return renderRefused(
    editResult.kind === 'conflict' ? messages.staleAbout : messages.endedBefore,
    409,
  );
}

function renderMailPart(
  context: ConsoleContext,
  messages: WebhookMessages,
  isMailed: boolean,
): Html {
  const { account, links } = context;
  if (links === null) {
    return html`<div class="field"><p class="help">${messages.byMailNone}</p></div>`;
  }
  return html`<div class="field ticks"><label><input type="checkbox" name="mail" value="yes"\
${isMailed && html` checked`}><span>${messages.mailAlerts}</span></label>
<p class="help">${messages.byMailAbout(account.email)}</p>
${account.awaitsVerification && html`<p class="warning">${messages.byMailWaits}</p>`}</div>`;
}

const renderEmpty = (messages: WebhookMessages) =>
  html`<p class="empty">${messages.noBudgets} <a href="/console/keys">${messages.toKeys}</a></p>`;

const renderNoRecipient = (messages: WebhookMessages) =>
  html`<p class="explains spaced">${messages.noRecipients} \
<a href="/console/webhooks">${messages.webhooks}</a></p>`;

const renderSpent = (budget: KeyBudget, messages: WebhookMessages) =>
  html`<p class="meta"><span>${messages.spent}: ${formatYuan(budget.spent)} ${messages.of} \
${formatYuan(budget.budget)}</span><span>${messages.periods[budget.period]}</span></p>\
${renderMeter(budget, messages)}`;

function renderMeter({ keyName, spent, budget }: KeyBudget, messages: WebhookMessages): Html {
  const percent = budget === 0n ? 100 : Math.min(100, Number((spent * 100n) / budget));
  return html`<meter min="0" max="100" high="80" optimum="0" value="${percent}" \
aria-label="${messages.spent}: ${keyName}">${percent} %</meter>`;
}

/** Saves the balance below which an alert is sent, and whether alerts are mailed. */
export async function saveAlerts(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, links } = context;
  const messages = webhookMessages(context.site.language);
  const formInput = {
    below: readField(request.form, 'below', 40),
    isMailed: request.form.get('mail') === 'yes',
  };
  const below = formInput.below === '' ? null : parseTypedCny(formInput.below);
  // An empty field removes the alert.
  const isWrong = formInput.below !== '' && (below === null || below <= 0n || below > MAX_AMOUNT);
  if (isWrong) {
    const error = messages.belowProblem;
    return showBudgets(context, request, { formInput, error, status: 422 });
  }
  const version = versionOf(request.form) ?? 0;
  if (await saveBalanceAlert(db, ownerOf(context), { below, version })) {
    await setAlertMails(db, account.id, links !== null && formInput.isMailed);
    return redirectWithPageNotice(PATH, 'saved');
  }
  return showBudgets(context, request, { formInput: null, error: undefined, status: 409 });
}
