// The line of buttons that share a page: send, copy the address, copy a citation, save. A script
// adds them.
import { type Html, html } from '../../kernel/html/html.ts';
import { formatDate } from '../../kernel/web/format-time.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';

export type SharedPage = {
  readonly path: string;
  readonly title: string;
  /** The publisher of the cited text. */
  readonly publisher: string;
  /** The time that the citation states, epoch milliseconds. */
  readonly at: number;
  /** The cited address; the page's own when absent. */
  readonly citedUrl?: string | null;
  /** Whether readers can save the page. */
  readonly canSave?: boolean;
};

export function renderSharePart({ site }: PageContext, page: SharedPage): Html {
  const messages = readerMessages(site.language);
  const url = `${site.url}${page.path}`;
  const citation = messages.citation({
    publisher: page.publisher,
    title: page.title,
    date: formatDate(site.language, page.at, null),
    url: page.citedUrl ?? url,
  });
  return html`<p class="share" data-share="${messages.share}" data-link="${messages.copyLink}" \
data-copied="${messages.copied}" data-url="${url}" data-cite="${messages.cite}" \
data-citation="${citation}"${
    page.canSave === true && html` data-save="${messages.save}" data-saved-word="${messages.saved}"`
  }></p>`;
}
