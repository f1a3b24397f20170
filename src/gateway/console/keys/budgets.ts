// How much of its budget each key has spent, and from which balance on the account is warned.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny, parseTypedCny } from '../../../kernel/money.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { button, errorSummary, postForm, textField, versionOf } from '../../../kernel/web/forms.ts';
import { setAlertMails, wantsAlertMails } from '../../accounts/account.ts';
import { listEndpoints } from '../../webhooks/endpoints.ts';
import {
  findBalanceAlert,
  type KeyBudget,
  keyBudgets,
  saveBalanceAlert,
} from '../../webhooks/raise-alerts.ts';
import { type WebhookWords, webhookWords } from '../messages/webhooks.ts';
import { yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { pageNotice, redirectWithPageNotice } from '../shell/notice.ts';
import { ownerOf } from '../webhooks/webhook-form.ts';
import { typed } from './form-input.ts';

const PATH = '/console/budgets';
/** Ten million yuan in micro-fen: sums of such amounts stay within the ledger's number range. */
const MOST = 10_000_000n * 100_000_000n;

export const budgetsPage = (context: ConsoleContext, request: ConsoleRequest) =>
  showBudgets(context, request, { typedBelow: null, error: undefined, status: 200 });

type Form = {
  readonly typedBelow: string | null;
  readonly error: string | undefined;
  readonly status: number;
};

async function showBudgets(
  context: ConsoleContext,
  request: ConsoleRequest,
  { typedBelow, error, status }: Form,
): Promise<ConsoleResponse> {
  const { world, db, site } = context;
  const words = webhookWords(site.language);
  const owner = ownerOf(context);
  const budgets = await keyBudgets(world, db, owner);
  const alert = await findBalanceAlert(db, owner);
  const enabledEndpoints = (await listEndpoints(db, owner)).filter(({ state }) => state === 'on');
  const isMailed = await wantsAlertMails(db, owner.accountId);
  const isDelivered = (event: 'balance.low' | 'budget.reached') =>
    isMailed || enabledEndpoints.some(({ events }) => events.includes(event));
  const below = typedBelow ?? (alert === null ? '' : formatCny(alert.below));
  return {
    kind: 'page',
    status,
    title: words.budgets,
    body: html`${pageHead(words.budgets, words.budgetsAbout)}
${pageNotice(words.done, request)}${status === 409 && problemNotice(words.conflict)}\
${errorSummary(context, error === undefined ? {} : { below: error })}
<section class="part">${budgets.length === 0 ? emptyPart(words) : table(words, budgets)}
${budgets.length > 0 && !isDelivered('budget.reached') && noRecipientPart(words)}</section>
<section class="part narrow"><h2>${words.balanceLine}</h2>
<p class="explains">${words.balanceAbout}</p>
${
  alert !== null &&
  alert.lowSince !== null &&
  html`<p class="warning">${words.lowSince} ${dateTime(site.language, alert.lowSince)}</p>`
}
${postForm(
  context,
  { action: `${PATH}/balance`, version: alert?.version ?? 0 },
  html`${textField({
    name: 'below',
    label: words.below,
    value: below,
    help: words.belowHelp,
    error,
    inputMode: 'decimal',
    autocomplete: 'off',
  })}${button(words.save)}`,
)}
${alert !== null && !isDelivered('balance.low') && noRecipientPart(words)}</section>
<section class="part narrow" id="alerts"><h2>${words.byMail}</h2>
${mailPart(context, words, isMailed)}</section>`,
  };
}

function mailPart(context: ConsoleContext, words: WebhookWords, isMailed: boolean): Html {
  const { account, links } = context;
  if (links === null) return html`<p class="explains">${words.byMailNone}</p>`;
  return html`<p class="explains">${words.byMailAbout(account.email)}</p>
${account.awaitsVerification && html`<p class="warning">${words.byMailWaits}</p>`}\
${postForm(
  context,
  { action: `${PATH}/mail` },
  html`<p class="field ticks"><label><input type="checkbox" name="mail" value="yes"\
${isMailed && html` checked`}><span>${words.byMailTick}</span></label></p>
${button(words.save)}`,
)}`;
}

export async function saveMailing(
  { db, account, links }: ConsoleContext,
  { form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const isWanted = links !== null && form.get('mail') === 'yes';
  await setAlertMails(db, account.id, isWanted);
  return redirectWithPageNotice(PATH, 'saved');
}

const emptyPart = (words: WebhookWords) =>
  html`<p class="empty">${words.noBudgets} <a href="/console/keys">${words.toKeys}</a></p>`;

const noRecipientPart = (words: WebhookWords) =>
  html`<p class="explains spaced">${words.nobodyTold} \
<a href="/console/webhooks">${words.webhooks}</a></p>`;

function table(words: WebhookWords, budgets: readonly KeyBudget[]): Html {
  return html`<div class="scroll"><table class="list"><thead><tr><th scope="col">${words.key}</th>\
<th scope="col">${words.period}</th><th scope="col" class="number">${words.spent}</th>\
<td></td></tr></thead><tbody>
${budgets.map(
  (one) => html`<tr><th scope="row"><a href="/console/keys/${one.keyId}">${one.keyName}</a> \
<span class="mono">…${one.last4}</span></th>\
<td>${words.periods[one.period]}</td>\
<td class="number nowrap">${yuan(one.spent)} ${words.of} ${yuan(one.budget)}</td>\
<td class="bar">${bar(one, words)}</td></tr>
`,
)}</tbody></table></div>`;
}

function bar({ keyName, spent, budget }: KeyBudget, words: WebhookWords): Html {
  const percent = budget === 0n ? 100 : Math.min(100, Number((spent * 100n) / budget));
  return html`<meter min="0" max="100" high="80" optimum="0" value="${percent}" \
aria-label="${words.spent}: ${keyName}">${percent} %</meter>`;
}

export async function saveBalanceLine(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const words = webhookWords(context.site.language);
  const typedBelow = typed(request.form, 'below', 40);
  const below = typedBelow === '' ? null : parseTypedCny(typedBelow);
  const isWrong = typedBelow !== '' && (below === null || below <= 0n || below > MOST);
  if (isWrong) {
    const error = words.belowProblem;
    return showBudgets(context, request, { typedBelow, error, status: 422 });
  }
  const version = versionOf(request.form) ?? 0;
  if (await saveBalanceAlert(context.db, ownerOf(context), { below, version })) {
    return redirectWithPageNotice(PATH, 'saved');
  }
  return showBudgets(context, request, { typedBelow: null, error: undefined, status: 409 });
}
