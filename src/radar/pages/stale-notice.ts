// When the pages stand still because the database is away, they say since when.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { wordsOf } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { dateTime } from './show-time.ts';

/** The publication confirms itself every second; a minute without is no hiccup any more. */
const STALE_MS = 60_000;

export function staleNotice({ world, publication, site }: PageContext): Html {
  const confirmedAt = publication.confirmedAt();
  if (world.clock.now() - confirmedAt <= STALE_MS) return nothing;
  const words = wordsOf(site.language);
  return html`<p class="notice" role="status">${words.staleSince} \
${dateTime(site.language, confirmedAt)}${words.stop}</p>
`;
}
