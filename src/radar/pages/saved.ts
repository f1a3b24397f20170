// `/saved`: the reader's saved stories. The list is only in the browser, so a script fills the
// page.
import { html } from '../../kernel/html/html.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

export function savedPage(context: PageContext): PageResponse {
  const messages = readerMessages(context.site.language);
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
