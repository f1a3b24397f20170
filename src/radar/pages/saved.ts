// `/saved`: what a reader has saved with the key `s`. The list is in the browser only, so a script
// fills it.
import { html } from '../../kernel/html/html.ts';
import { messagesOf } from './messages/reader.ts';
import type { PageContext, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

export function savedPage(context: PageContext): PageResponse {
  const messages = messagesOf(context.site.language);
  return pageResponse(context, {
    title: messages.saved,
    description: messages.savedAbout,
    canonical: null,
    section: null,
    main: html`<div class="list-head"><h1>${messages.saved}</h1>\
<p class="meta">${messages.savedAbout}</p></div>
<ol class="saved-list" data-saved></ol>
<p class="empty" data-saved-empty>${messages.emptySaved}</p>`,
  });
}
