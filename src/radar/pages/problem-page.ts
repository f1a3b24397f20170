// A failure as a page, for people: what happened, in words, and a way on.
import { html } from '../../kernel/html/html.ts';
import { problemWords } from './messages/problems.ts';
import { wordsOf } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { framed } from './page-layout.ts';

export type ShownProblem = {
  readonly status: number;
  readonly code: string;
  /** In English, as the API says it. */
  readonly detail: string;
  /** The same for a page in Chinese; null: only its code is told there. */
  readonly inChinese: string | null;
  readonly requestId: string;
};

export function problemPage(context: PageContext, problem: ShownProblem): string {
  const { language } = context.site;
  const words = wordsOf(language);
  const { status, code, requestId } = problem;
  const isMissing = status === 404;
  const said = problemWords(language, code);
  const title = isMissing ? words.notFound : (said?.title ?? words.problem);
  // That it cannot be answered now, or not so often, is what the advice says already.
  const isSaid = isMissing || code === 'temporarily_unavailable' || status === 429;
  const detail = language === 'en' ? problem.detail : problem.inChinese;
  const asked = status === 429 ? words.problemTooMany : words.problemAsked;
  const advice = status < 500 ? asked : words.problemOurs;
  return framed(context, {
    title,
    description: null,
    canonical: null,
    section: null,
    main: html`<div class="page-head">
<p class="label">${status}</p>
<h1>${title}</h1>
<p>${isMissing ? words.notFoundAbout : advice}</p>
${!isSaid && detail !== null && html`<p class="detail">${detail}</p>`}
</div>
<p class="more"><a class="button" href="/">${words.toTimeline}</a>\
<a class="button quiet" href="/search">${words.search}</a></p>
<p class="meta spaced"><span>${requestId}</span></p>`,
  });
}
