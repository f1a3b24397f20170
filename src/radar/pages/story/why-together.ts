// Why reports stand in one story, in words: the last line of the log about each.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { wordsOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';

export function whyTogether({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  if (story.why.length < 2) return nothing;
  const byId = new Map(story.reports.map((report) => [report.id, report]));
  return html`<details class="why">
<summary>${words.whyTogether}</summary>
<div class="scroll"><table class="list stacks">
<thead><tr><th scope="col">${words.report}</th><th scope="col">${words.decision}</th>\
<th scope="col" class="number">${words.certainty}</th>\
<th scope="col">${words.spokeForIt}</th></tr></thead>
<tbody>
${story.why.map(({ itemId, reason, score, names }) => {
  const report = byId.get(itemId);
  const spoke = names.flatMap((name) => words.spoke[name] ?? []).join(words.comma);
  const decided = Object.hasOwn(words.reasons, reason)
    ? words.reasons[reason as keyof typeof words.reasons]
    : reason;
  return html`<tr><td>${report && html`<a href="#report-${itemId}">${report.sourceName}</a>`}</td>\
<td>${decided}</td>\
<td class="number" data-label="${words.certainty}">${Math.round(score * 100)} %</td>\
<td data-label="${words.spokeForIt}">${spoke || '–'}</td></tr>
`;
})}</tbody>
</table></div>
</details>`;
}
