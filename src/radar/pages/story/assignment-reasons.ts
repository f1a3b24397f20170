// The reasons why reports are in a story: the last entry of the assignment log for each report.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderListTable } from '../../../kernel/web/list-table.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';

export function renderAssignmentReasons({ site }: PageContext, story: StoryBody): Html {
  const messages = readerMessages(site.language);
  if (story.why.length < 2) return nothing;
  const byId = new Map(story.reports.map((report) => [report.id, report]));
  const columns = [
    { label: messages.report, isSelfExplanatory: true },
    { label: messages.decision, isSelfExplanatory: true },
    { label: messages.certainty, isNumber: true },
    { label: messages.evidence },
  ];
  const rows = story.why.map(({ itemId, reason, score, names }) => {
    const report = byId.get(itemId);
    const evidenceNames = names
      .flatMap((name) => messages.evidenceNames[name] ?? [])
      .join(messages.comma);
    const decision = Object.hasOwn(messages.reasons, reason)
      ? messages.reasons[reason as keyof typeof messages.reasons]
      : reason;
    return [
      report ? html`<a href="#report-${itemId}">${report.sourceName}</a>` : '',
      decision,
      `${Math.round(score * 100)} %`,
      evidenceNames || '–',
    ];
  });
  return html`<details class="why">
<summary>${messages.whyTogether}</summary>
${renderListTable(columns, rows)}
</details>`;
}
