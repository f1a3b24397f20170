// What is known of a story, sentence by sentence. Each is followed by the numbers of its reports,
// which lead to them; who points at a sentence, tabs into it or taps it sees their names.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody, StoryClaim, StoryReport } from '../../publication/documents/bodies.ts';
import { type Words, wordsOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { dateTime } from '../show-time.ts';

/** Reports that are named; further ones are counted. */
const NAMED = 6;

export function told({ site }: PageContext, story: StoryBody): Html {
  if (story.digest === null) return nothing;
  const words = wordsOf(site.language);
  const numbered = story.reports.map((report, at) => ({ ...report, number: at + 1 }));
  const sentences = story.claims.map((one) => claim(site.language, one, numbered, words));
  return html`<section aria-label="${words.digest}">
<div class="text told" lang="${story.language}"><p>\
${sentences.length > 0 ? sentences : story.digest}</p></div>
<p class="meta digest-by"><span>${words.digestBy[story.digestBy ?? 'rules']}</span>${
    story.digestUpdatedAt !== null &&
    html`<span>${dateTime(site.language, story.digestUpdatedAt)}</span>`
  }</p>
</section>`;
}

type Numbered = StoryReport & { readonly number: number };

function claim(
  language: 'en' | 'zh-CN',
  { text, reportIds }: StoryClaim,
  reports: readonly Numbered[],
  words: Words,
): Html {
  const cited = reports.filter(({ id }) => reportIds.includes(id));
  const others = cited.length - NAMED;
  return html`<span class="claim">${text}<sup class="cites">${cited.map(
    ({ id, number, sourceName }) =>
      html`<a class="cite" href="#report-${id}" \
aria-label="${words.report} ${number}, ${sourceName}">${number}</a>`,
  )}</sup>${
    cited.length > 0 &&
    html`<span class="cited" lang="${language}" aria-hidden="true">${cited
      .slice(0, NAMED)
      .map((report) => named(language, report))}${
      others > 0 && html`<span>${words.andOthers(others)}</span>`
    }</span>`
  }</span> `;
}

/** Seen only beside the numbers, which say the same to who cannot see it. */
function named(language: 'en' | 'zh-CN', report: Numbered): Html {
  return html`<span><b>${report.number}</b> ${report.sourceName} \
<i>${dateTime(language, report.at)}</i></span>`;
}
