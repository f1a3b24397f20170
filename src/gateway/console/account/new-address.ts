// The page that opens from the link in the mail to a new address. The button on this page changes
// the account's address.

import { html } from '../../../kernel/html/html.ts';
import { renderPostForm } from '../../../kernel/web/forms.ts';
import type { VisitorRoute } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { renderInvalidLink, renderOtherAccount, tokenOf } from './mail-links.ts';

const PATH = '/console/new-address';
const ACCOUNT_PATH = '/console/account';

export const newAddressRoute: VisitorRoute = {
  path: PATH,
  show: async (context, request) => {
    const { messages } = context;
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
    const confirmation = await addressChange.confirm(tokenOf(request), request.from);
    switch (confirmation.kind) {
      case 'changed':
        if (request.accountId === null) {
          return redirectWithNotice('/console/sign-in', 'addressChanged');
        }
        return request.accountId === confirmation.accountId
          ? redirectWithNotice(ACCOUNT_PATH, 'addressChanged')
          : renderOtherAccount(context);
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
