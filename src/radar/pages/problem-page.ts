// A failure as a page, for people: what happened, in words, and a way on.
import { html } from '../../kernel/html/html.ts';
import { framed } from './frame.ts';
import type { PageContext } from './page-context.ts';
import { wordsOf } from './words.ts';

export type ShownProblem = {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
};

export function problemPage(context: PageContext, problem: ShownProblem): string {
  const words = wordsOf(context.site.language);
  const isMissing = problem.status === 404;
  const title = isMissing ? words.notFound : words.problem;
  return framed(context, {
    title,
    description: null,
    canonical: null,
    section: null,
    main: html`<div class="page-head">
<p class="label">${problem.status}</p>
<h1>${title}</h1>
<p>${isMissing ? words.notFoundAbout : problem.detail}</p>
</div>
<p class="more"><a class="button" href="/">${words.toTimeline}</a>\
<a class="button quiet" href="/search">${words.search}</a></p>
<p class="meta"><span>${problem.requestId}</span></p>`,
  });
}
