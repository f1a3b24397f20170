// Part of the account page that switches the request log on or off.
import { type Html, html } from '../../../kernel/html/html.ts';
import { button, postForm } from '../../../kernel/web/forms.ts';
import { isLogOff, switchRequestLog } from '../../calls/request-log.ts';
import { requestLogMessages } from '../messages/request-log.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { pageNotice, redirectWithPageNotice } from '../shell/notice.ts';

export async function requestLogPart(
  context: ConsoleContext,
  request: Pick<ConsoleRequest, 'query'>,
): Promise<Html> {
  const messages = requestLogMessages(context.site.language);
  const isOff = await isLogOff(context.db, context.account.id);
  return html`<section class="part" id="request-log"><h2>${messages.setting}</h2>
${pageNotice(messages.done, request)}
<p class="explains">${messages.about}</p><p>${isOff ? messages.isOff : messages.on}</p>
${postForm(
  context,
  { action: '/console/account/request-log' },
  html`<input type="hidden" name="to" value="${isOff ? 'on' : 'off'}">
${button(isOff ? messages.switchOn : messages.switchOff, isOff ? 'quiet' : 'danger')}`,
)}</section>`;
}

export async function saveRequestLog(
  { db, account }: ConsoleContext,
  { form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const isOff = form.get('to') !== 'on';
  await switchRequestLog(db, account.id, isOff);
  return redirectWithPageNotice('/console/account', isOff ? 'log-off' : 'log-on');
}
