// The page on which owners delete their account. The page lists the erased data, the kept data and
// the remaining money.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { type RemainingMoney, readConfirmedAmount } from '../../accounts/delete-account.ts';
import { readField } from '../keys/form-input.ts';
import { accountDeletionMessages } from '../messages/account-deletion.ts';
import { formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';

const PATH = '/console/account/delete';

/** Renders the part of the account page with the link to the deletion. */
export function renderDeletionLink({ site }: ConsoleContext): Html {
  const messages = accountDeletionMessages(site.language);
  return html`<section class="part" id="deletion"><h2>${messages.title}</h2>
<p class="explains">${messages.about}</p>
<p><a class="button quiet" href="${PATH}">${messages.open}</a></p></section>`;
}

export const deletionPage = (context: ConsoleContext): Promise<ConsoleResponse> =>
  showDeletion(context, { address: '', error: undefined, isMoreMoneyLeft: false, status: 200 });

type DeletionView = {
  readonly address: string;
  readonly error: string | undefined;
  /** True: more money is left than the submitted form stated. */
  readonly isMoreMoneyLeft: boolean;
  readonly status: number;
};

async function showDeletion(
  context: ConsoleContext,
  { address, error, isMoreMoneyLeft, status }: DeletionView,
): Promise<ConsoleResponse> {
  const { account, site, deletion } = context;
  const messages = accountDeletionMessages(site.language);
  const remainingMoney = await deletion.remainingMoney(account.id);
  const renderList = (lines: readonly string[]) =>
    html`<ul class="points">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  return {
    kind: 'page',
    status,
    title: messages.title,
    body: html`${renderPageHead(messages.title, messages.about)}
${isMoreMoneyLeft && renderProblemNotice(messages.moreMoney)}\
${renderErrorSummary(context, error === undefined ? {} : { address: error })}
<section class="part"><h2>${messages.what}</h2>${renderList(messages.deleted)}</section>
<section class="part"><h2>${messages.stays}</h2>${renderList(messages.kept(account.id))}</section>
<section class="part"><h2>${messages.money}</h2>\
${renderList(listRemainingMoney(context, remainingMoney))}\
</section>
<section class="part">${renderPostForm(
      context,
      { action: PATH },
      html`<input type="hidden" name="left" value="\
${String(remainingMoney.cash + remainingMoney.vouchers)}">
${renderTextField({
  name: 'address',
  label: messages.confirm(account.email),
  value: address,
  error,
  isRequired: true,
  autocomplete: 'off',
})}${renderButton(messages.submit, 'danger')}`,
    )}
<p class="more"><a class="button" href="/console/account">${messages.keep}</a> \
<a class="link" href="/console/account#data">${messages.download}</a></p></section>`,
  };
}

function listRemainingMoney(
  { site }: ConsoleContext,
  { cash, vouchers, held, debt }: RemainingMoney,
): readonly string[] {
  const messages = accountDeletionMessages(site.language);
  const lines = [
    ...(cash > 0n ? [messages.cash(formatYuan(cash))] : []),
    ...(vouchers > 0n ? [messages.vouchers(formatYuan(vouchers))] : []),
    ...(held > 0n ? [messages.held(formatYuan(held))] : []),
    ...(debt > 0n ? [messages.owed(formatYuan(debt))] : []),
  ];
  return lines.length === 0 ? [messages.nothing] : lines;
}

export async function deleteOwnAccount(
  context: ConsoleContext,
  { form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, site, deletion } = context;
  const messages = accountDeletionMessages(site.language);
  const address = readField(form, 'address');
  if (address.toLowerCase() !== account.email) {
    const error = messages.wrong;
    return showDeletion(context, { address, error, isMoreMoneyLeft: false, status: 422 });
  }
  const input = { accountId: account.id, confirmedAmount: readConfirmedAmount(form) };
  const deletionResult = await deletion.delete(db, input);
  if (deletionResult.kind === 'more_money') {
    return showDeletion(context, { address, error: undefined, isMoreMoneyLeft: true, status: 409 });
  }
  return redirectWithNotice('/console/sign-in', 'deleted');
}
