// Renders and saves the request log setting of the account page.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { isLogOff, setRequestLog } from '../../calls/request-log.ts';
import { requestLogMessages } from '../messages/request-log.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { redirectWithPageNotice, renderPageNotice } from '../shell/notice.ts';

export async function renderRequestLogSetting(
  context: ConsoleContext,
  request: Pick<ConsoleRequest, 'query'>,
): Promise<Html> {
  const messages = requestLogMessages(context.site.language);
  const isOff = await isLogOff(context.db, context.account.id);
  return html`<section class="part" id="request-log"><h2>${messages.setting}</h2>
${renderPageNotice(messages.done, request)}
<p class="explains">${messages.about}</p><p>${isOff ? messages.isOff : messages.on}</p>
${renderPostForm(
  context,
  { action: '/console/account/request-log' },
  html`<input type="hidden" name="to" value="${isOff ? 'on' : 'off'}">
${renderButton(isOff ? messages.switchOn : messages.switchOff, isOff ? 'quiet' : 'danger')}`,
)}</section>`;
}

export async function saveRequestLog(
  { db, account }: ConsoleContext,
  { form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const isOff = form.get('to') !== 'on';
  await setRequestLog(db, account.id, isOff);
  return redirectWithPageNotice('/console/account', isOff ? 'log-off' : 'log-on');
}
