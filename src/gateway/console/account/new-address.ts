// The page behind the link to a new address. Its button changes the account's address.

import { html } from '../../../kernel/html/html.ts';
import { postForm } from '../../../kernel/web/forms.ts';
import type { VisitorRoute } from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { deadLink, tokenOf } from './mail-links.ts';

const PATH = '/console/new-address';
const ACCOUNT = '/console/account';

export const newAddressRoute: VisitorRoute = {
  path: PATH,
  show: async (context, request) => {
    const { words } = context;
    return {
      kind: 'page',
      title: words.newAddressTitle,
      body: html`${request.notice && problemNotice(words.tooOld)}
<p class="explains">${words.newAddressAbout}</p>
${postForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="link" value="${tokenOf(request)}">\
<button>${words.newAddressUse}</button>`,
)}`,
    };
  },
  post: async (context, request) => {
    const { words, addressChange } = context;
    const confirmed = await addressChange.confirm(tokenOf(request), request.from);
    switch (confirmed.kind) {
      case 'changed':
        return redirectWithNotice(
          request.isSignedIn ? ACCOUNT : '/console/sign-in',
          'addressChanged',
        );
      case 'no_link':
        return deadLink(context, { href: ACCOUNT, label: words.askAgain });
      case 'taken':
        return {
          kind: 'page',
          status: 409,
          title: words.newAddressTaken,
          body: html`<p class="explains">${words.newAddressTakenAbout}</p>
<p class="more"><a class="button" href="${ACCOUNT}">${words.account}</a></p>`,
        };
    }
  },
};
