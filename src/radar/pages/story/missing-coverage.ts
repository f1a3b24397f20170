// Sources that do not cover a story: in the last seven days they published several items of the
// story's category, but none about the story.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { itemOf } from '../../publication/read-model/read-model.ts';
import { countItemsBySource } from '../../publication/read-model/source-items.ts';
import { readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';

/** When fewer sources cover a story, the absence of a source has no meaning. */
const COVERING_MIN = 3;
/** A source with fewer items of the category does not usually cover the category. */
const USUAL_MIN = 4;
const LISTED_MAX = 6;

export function renderMissingCoverage(context: PageContext, story: StoryBody): Html {
  const { publication, site, labels, world } = context;
  if (story.sources.length < COVERING_MIN) return nothing;
  const readModel = publication.readModel();
  const category = mostFrequent(
    story.reports.flatMap(({ id }) => itemOf(readModel, id)?.category ?? []),
  );
  if (category === null) return nothing;
  const coveringSources = new Set(story.sources.map(({ name }) => name));
  const counts = countItemsBySource(readModel, category, world.clock.now());
  const missingSources = [...counts]
    .filter(([name, count]) => count >= USUAL_MIN && !coveringSources.has(name))
    .sort(([nameA, countA], [nameB, countB]) => countB - countA || (nameA < nameB ? -1 : 1))
    .slice(0, LISTED_MAX);
  if (missingSources.length === 0) return nothing;
  const messages = readerMessages(site.language);
  return html`<section>
<h2 class="side">${messages.notCovering}</h2>
<p class="meta">${messages.notCoveringAbout(labels[category] ?? category)}</p>
<ul class="side-list">
${missingSources.map(([name]) => html`<li>${name}</li>`)}</ul>
</section>`;
}

function mostFrequent(values: readonly string[]): string | null {
  const counts = [...Map.groupBy(values, (value) => value)];
  const [first] = counts.sort(([, a], [, b]) => b.length - a.length);
  return first?.[0] ?? null;
}
