// The digest of a story, sentence by sentence. The numbers after a sentence link to its reports.
// The sources of these reports appear on hover, focus and tap.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import type { StoryBody, StoryClaim, StoryReport } from '../../publication/documents/bodies.ts';
import { type ReaderMessages, readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { keepNamesTogether } from '../story-parts.ts';

/** Maximum number of sources that are named for a sentence; the others are only counted. */
const NAMED_MAX = 6;

export function renderDigest(context: PageContext, story: StoryBody): Html {
  if (story.digest === null) return nothing;
  const messages = readerMessages(context.site.language);
  const numberedReports = story.reports.map((report, index) => ({ ...report, number: index + 1 }));
  const sentences = story.claims.map((storyClaim) =>
    renderClaim(context, storyClaim, numberedReports, messages),
  );
  return html`<section aria-label="${messages.digest}">
<div class="text digest" lang="${story.language}"><p>\
${sentences.length > 0 ? sentences : story.digest}</p></div>
<p class="meta digest-by"><span>${messages.digestBy[story.digestBy ?? 'rules']}</span>${
    story.digestUpdatedAt !== null &&
    html`<span>${renderDateTime(context, story.digestUpdatedAt)}</span>`
  }</p>
</section>`;
}

type NumberedReport = StoryReport & { readonly number: number };

function renderClaim(
  context: PageContext,
  { text, reportIds }: StoryClaim,
  reports: readonly NumberedReport[],
  messages: ReaderMessages,
): Html {
  const citedReports = reports.filter(({ id }) => reportIds.includes(id));
  const otherCount = citedReports.length - NAMED_MAX;
  const names = reports.map(({ sourceName }) => sourceName);
  // The first number stays on the line of the last word.
  const [lastWord = ''] = /(?:[^\s\p{Script=Han}]{1,24}|.)$/u.exec(text) ?? [];
  const start = text.slice(0, text.length - lastWord.length);
  return html`<span class="claim">${keepNamesTogether(start, names)}\
<span class="name-of">${lastWord}\
<sup class="cites">${citedReports.map(
    ({ id, number, sourceName }) =>
      html`<a class="cite" href="#report-${id}" \
aria-label="${messages.report} ${number}, ${sourceName}">${number}</a>`,
  )}</sup></span>${
    citedReports.length > 0 &&
    html`<span class="cited" lang="${context.site.language}" aria-hidden="true">${citedReports
      .slice(0, NAMED_MAX)
      .map((report) => renderSourceLabel(context, report))}${
      otherCount > 0 && html`<span>${messages.andOthers(otherCount)}</span>`
    }</span>`
  }</span> `;
}

/** Hidden from screen readers, because the label of each number has the same text. */
function renderSourceLabel(context: PageContext, report: NumberedReport): Html {
  return html`<span><b>${report.number}</b> ${report.sourceName} \
<i>${renderDateTime(context, report.at)}</i></span>`;
}
