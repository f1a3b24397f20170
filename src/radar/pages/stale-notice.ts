// While the database is unavailable, the pages show the last read model and its time.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { renderDateTime } from '../../kernel/web/format-time.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';

/**
 * The publication confirms every second that it is current. A minute without a confirmation is an
 * outage.
 */
const STALE_MS = 60_000;

export function renderStaleNotice(context: PageContext): Html {
  const { world, publication, site } = context;
  const confirmedAt = publication.confirmedAt();
  if (world.clock.now() - confirmedAt <= STALE_MS) return nothing;
  const messages = readerMessages(site.language);
  return html`<p class="notice" role="status">${messages.staleSince} \
${renderDateTime(context, confirmedAt)}${messages.fullStop}</p>
`;
}
