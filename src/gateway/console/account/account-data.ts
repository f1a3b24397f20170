// Renders the download form of the account page, and sends the account's data as a file.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { downloadData } from '../../accounts/download-data.ts';
import { accountDataMessages } from '../messages/account-data.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/account/data';

export function renderAccountData(context: ConsoleContext): Html {
  const messages = accountDataMessages(context.site.language);
  return html`<section class="part" id="data"><h2>${messages.title}</h2>
<p class="explains">${messages.about}</p>
${renderPostForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="act" value="download">\
${renderButton(messages.download, 'quiet')}`,
)}</section>`;
}

export async function sendAccountData(
  { world, db, account, messages, securityLog }: ConsoleContext,
  { from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const owner = { accountId: account.id, origin: from };
  const downloadResult = await downloadData(world, db, securityLog, owner);
  if (downloadResult.kind === 'too_many') {
    const seconds = Math.max(1, Math.ceil(downloadResult.waitMs / 1000));
    throw new Fault('rate_limited', messages.tooMany(seconds), {
      retryAfterSeconds: seconds,
      inChinese: messages.tooMany(seconds),
    });
  }
  return {
    kind: 'file',
    name: `account-${account.id}.ndjson`,
    type: 'application/x-ndjson',
    text: downloadResult.text,
  };
}
