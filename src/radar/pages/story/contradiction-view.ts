// Contradictions as two columns with sources and times, and figures that a later report replaced. A
// copy is listed below the report that it repeats.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { guessLanguage } from '../../../kernel/html/text-language.ts';
import { renderShortTime } from '../../../kernel/web/format-time.ts';
import type { StoryBody, StoryContradiction } from '../../publication/documents/bodies.ts';
import { readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { groupIntoSides, type ValueStatements } from './contradiction-sides.ts';

export function renderContradictions(context: PageContext, story: StoryBody): Html {
  const messages = readerMessages(context.site.language);
  if (story.contradictions.length === 0) return nothing;
  return html`<section class="disagree" aria-labelledby="disagree">
<h2 class="side" id="disagree">${messages.disagree}</h2>
${story.contradictions.map((contradiction, index) =>
  renderColumns(context, story, contradiction, index),
)}</section>`;
}

function renderColumns(
  context: PageContext,
  story: StoryBody,
  { subject, statements }: StoryContradiction,
  index: number,
): Html {
  const language = guessLanguage(subject);
  const columns = groupIntoSides(statements).map(
    (side) => html`<div class="column">
${side.map((valueStatements) => renderValue(context, story, language, valueStatements))}</div>
`,
  );
  return html`<div class="facing" role="group" aria-labelledby="disagree disagree-${index}">
<h3 id="disagree-${index}" lang="${language}">${subject}</h3>
${columns}</div>
`;
}

function renderValue(
  context: PageContext,
  story: StoryBody,
  language: 'en' | 'zh',
  { value, statements }: ValueStatements,
): Html {
  const messages = readerMessages(context.site.language);
  const copiesOf = (id: string) =>
    (story.copies ?? []).flatMap(({ reportId, originalId }) =>
      originalId === id ? story.reports.filter((report) => report.id === reportId) : [],
    );
  return html`<p class="value" lang="${language}">${value}</p>
<ul class="voices">
${statements.map(({ reportId, source, at }) => {
  const copies = copiesOf(reportId);
  return html`<li><a href="#report-${reportId}">${source}</a> \
<span class="meta">${renderShortTime(context, at)}</span>${
    copies.length > 0 &&
    html`<ul class="copies">${copies.map(
      (copy) => html`<li><a href="#report-${copy.id}">${copy.sourceName}</a> \
<span class="meta">${messages.copyOf(source)}</span></li>`,
    )}</ul>`
  }</li>
`;
})}</ul>
`;
}

export function renderRevisions(context: PageContext, story: StoryBody): Html {
  const messages = readerMessages(context.site.language);
  const revisions = story.revisions ?? [];
  if (revisions.length === 0) return nothing;
  return html`<section class="revisions" aria-labelledby="revised">
<h2 class="side" id="revised">${messages.revised}</h2>
<ul class="side-list">
${revisions.map(
  ({ subject, previous, current, source, at, reportIds }) => html`<li>\
<span lang="${guessLanguage(subject)}">${subject}</span>: <del>${previous}</del> → \
<ins>${current}</ins> \
<span class="meta"><span><a href="#report-${reportIds[0] ?? ''}">${source}</a></span>\
<span>${renderShortTime(context, at)}</span></span></li>
`,
)}</ul>
</section>`;
}
