// When an event was covered: a picture of reports over time, and the same as a table.
import { timelineBars } from '../../../kernel/html/charts.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { wordsOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { dateTime, shortTime } from '../show-time.ts';

export function coverage({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  // A single bar is no picture of time.
  if (story.coverage.length < 2) return nothing;
  const points = story.coverage.map(({ at, count }) => ({
    label: shortTime(site.language, at),
    count,
  }));
  return html`<section class="coverage">
<h2 class="side">${words.coverage}</h2>
${timelineBars(points, words.coverageLabel(story.reportCount, points.length))}
<details><summary>${words.asTable}</summary>
<div class="scroll"><table class="list">
<thead><tr><th scope="col">${words.time}</th>\
<th scope="col" class="number">${words.reports}</th></tr></thead>
<tbody>
${story.coverage
  .filter(({ count }) => count > 0)
  .map(
    ({
      at,
      count,
    }) => html`<tr><td>${dateTime(site.language, at)}</td><td class="number">${count}</td></tr>
`,
  )}</tbody>
</table></div>
</details>
</section>`;
}
