// The page of a failure: its meaning, and links to other pages.
import { html } from '../../kernel/html/html.ts';
import { problemMessages } from './messages/problems.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { renderLayout } from './page-layout.ts';

export type ProblemView = {
  readonly status: number;
  readonly code: string;
  /** In English, as in the API's response. */
  readonly detail: string;
  /** The same text in Chinese; null: the page shows only the code. */
  readonly inChinese: string | null;
  readonly requestId: string;
};

export function problemPage(context: PageContext, problem: ProblemView): string {
  const { language } = context.site;
  const messages = readerMessages(language);
  const { status, code, requestId } = problem;
  const isMissing = status === 404;
  const knownProblem = problemMessages(language, code);
  const title = isMissing ? messages.notFound : (knownProblem?.title ?? messages.problem);
  // The advice for a temporary failure or a rate limit already includes the delay.
  const hasAdviceOnly = isMissing || code === 'temporarily_unavailable' || status === 429;
  const detail = language === 'en' ? problem.detail : problem.inChinese;
  const requestAdvice = status === 429 ? messages.problemTooMany : messages.problemRequest;
  const advice = status < 500 ? requestAdvice : messages.problemOurs;
  return renderLayout(context, {
    title,
    description: null,
    canonical: null,
    section: null,
    main: html`<div class="page-head">
<p class="label">${status}</p>
<h1>${title}</h1>
<p>${isMissing ? messages.notFoundAbout : advice}</p>
${!hasAdviceOnly && detail !== null && html`<p class="detail">${detail}</p>`}
</div>
<p class="more"><a class="button" href="/">${messages.toFront}</a>\
<a class="button quiet" href="/search">${messages.search}</a></p>
<p class="meta spaced"><span>${requestId}</span></p>`,
  });
}
