// The page behind the link to a new address. Its button changes the account's address.

import { html } from '../../../kernel/html/html.ts';
import { postForm } from '../../../kernel/web/forms.ts';
import type { VisitorRoute } from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { invalidLinkPage, tokenOf } from './mail-links.ts';

const PATH = '/console/new-address';
const ACCOUNT = '/console/account';

export const newAddressRoute: VisitorRoute = {
  path: PATH,
  show: async (context, request) => {
    const { messages } = context;
    return {
      kind: 'page',
      title: messages.newAddressTitle,
      body: html`${request.notice && problemNotice(messages.tooOld)}
<p class="explains">${messages.newAddressAbout}</p>
${postForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">\
<button>${messages.newAddressUse}</button>`,
)}`,
    };
  },
  post: async (context, request) => {
    const { messages, addressChange } = context;
    const confirmed = await addressChange.confirm(tokenOf(request), request.from);
    switch (confirmed.kind) {
      case 'changed':
        return redirectWithNotice(
          request.isSignedIn ? ACCOUNT : '/console/sign-in',
          'addressChanged',
        );
      case 'no_link':
        return invalidLinkPage(context, { href: ACCOUNT, label: messages.askAgain });
      case 'address_taken':
        return {
          kind: 'page',
          status: 409,
          title: messages.newAddressTaken,
          body: html`<p class="explains">${messages.newAddressTakenAbout}</p>
<p class="more"><a class="button" href="${ACCOUNT}">${messages.account}</a></p>`,
        };
    }
  },
};
