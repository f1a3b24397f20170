// The reasons why reports are in a story: the last entry of the assignment log for each report.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { messagesOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';

export function assignmentReasonsPart({ site }: PageContext, story: StoryBody): Html {
  const messages = messagesOf(site.language);
  if (story.why.length < 2) return nothing;
  const byId = new Map(story.reports.map((report) => [report.id, report]));
  return html`<details class="why">
<summary>${messages.whyTogether}</summary>
<div class="scroll"><table class="list stacks">
<thead><tr><th scope="col">${messages.report}</th><th scope="col">${messages.decision}</th>\
<th scope="col" class="number">${messages.certainty}</th>\
<th scope="col">${messages.evidence}</th></tr></thead>
<tbody>
${story.why.map(({ itemId, reason, score, names }) => {
  const report = byId.get(itemId);
  const evidenceNames = names
    .flatMap((name) => messages.evidenceNames[name] ?? [])
    .join(messages.comma);
  const decided = Object.hasOwn(messages.reasons, reason)
    ? messages.reasons[reason as keyof typeof messages.reasons]
    : reason;
  return html`<tr><td>${report && html`<a href="#report-${itemId}">${report.sourceName}</a>`}</td>\
<td>${decided}</td>\
<td class="number" data-label="${messages.certainty}">${Math.round(score * 100)} %</td>\
<td data-label="${messages.evidence}">${evidenceNames || '–'}</td></tr>
`;
})}</tbody>
</table></div>
</details>`;
}
