// Renders a page with new codes and a button to copy them. The codes are shown only once.

import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminPage,
  GatewayAdminSection,
} from '../admin-context.ts';
import { adminMessages } from '../messages/admin.ts';

export function renderCodesPage(
  { site }: GatewayAdminContext,
  created: {
    readonly name: string;
    readonly codes: readonly string[];
    readonly section: GatewayAdminSection;
    readonly back: string;
  },
): GatewayAdminPage {
  const messages = adminMessages(site.language);
  const title = messages.codesOf(created.name);
  return {
    kind: 'page',
    title,
    section: created.section,
    main: html`${renderPageHead(title, null)}
<div class="notice positive" role="status" tabindex="-1" data-focus><p>${messages.codesOnce}</p>\
</div>
<h2 class="side">${messages.codes(created.codes.length)}</h2>
<pre class="example codes" data-copy="${messages.copy}" data-copied="\
${messages.copied}" tabindex="0">\
<code>${created.codes.join('\n')}</code></pre>
<p class="more"><a class="button quiet" href="${created.back}">${messages.codesKept}</a></p>`,
  };
}
