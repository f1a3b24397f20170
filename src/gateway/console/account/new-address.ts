// The page that opens from the link in the mail to a new address, after a sign-in. The button on
// this page changes the account's address.

import { html } from '../../../kernel/html/html.ts';
import { renderPostForm } from '../../../kernel/web/forms.ts';
import type { VisitorRoute } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { renderInvalidLink, renderOtherAccount, signInPathTo, tokenOf } from './mail-links.ts';

const PATH = '/console/new-address';
const ACCOUNT_PATH = '/console/account';

export const newAddressRoute: VisitorRoute = {
  path: PATH,
  show: async (context, request) => {
    const { messages } = context;
    if (request.accountId === null) return { kind: 'moved', to: signInPathTo(PATH, request) };
    return {
      kind: 'page',
      title: messages.newAddressTitle,
      body: html`${request.notice && renderProblemNotice(messages.tooOld)}
<p class="explains">${messages.newAddressAbout}</p>
${renderPostForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">\
<button>${messages.newAddressUse}</button>`,
)}`,
    };
  },
  post: async (context, request) => {
    const { messages, addressChange } = context;
    const { accountId, from: origin } = request;
    if (accountId === null) return { kind: 'moved', to: signInPathTo(PATH, request) };
    const confirmation = await addressChange.confirm({
      token: tokenOf(request),
      accountId,
      origin,
    });
    switch (confirmation.kind) {
      case 'changed':
        return redirectWithNotice(ACCOUNT_PATH, 'addressChanged');
      case 'other_account':
        return renderOtherAccount(context, messages.newAddressOfOther, 403);
      case 'no_link':
        return renderInvalidLink(context, { href: ACCOUNT_PATH, label: messages.askAgain });
      case 'address_taken':
        return {
          kind: 'page',
          status: 409,
          title: messages.newAddressTaken,
          body: html`<p class="explains">${messages.newAddressTakenAbout}</p>
<p class="more"><a class="button" href="${ACCOUNT_PATH}">${messages.account}</a></p>`,
        };
    }
  },
};
