// `/problems/{code}`: the page that the `type` of a problem links to.
import { type Code, codes } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { html } from '../../kernel/html/html.ts';
import { problemMessages } from './messages/problems.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

export function problemTypePage(context: PageContext, request: PageRequest): PageResponse {
  const { language } = context.site;
  const messages = readerMessages(language);
  const code = (request.params.code ?? '').replaceAll('-', '_');
  const knownProblem = problemMessages(language, code);
  if (knownProblem === null) throw new Fault('not_found', 'There is no problem of that name.');
  return pageResponse(context, {
    title: knownProblem.title,
    description: knownProblem.advice,
    canonical: null,
    section: null,
    main: html`<div class="page-head">
<p class="label">${messages.problemLabel}</p>
<h1>${knownProblem.title}</h1>
</div>
<div class="text"><p>${knownProblem.advice}</p></div>
<dl class="facts spaced">
<dt>${messages.httpStatus}</dt><dd class="figure">${codes[code as Code].status}</dd>
<dt>${messages.code}</dt><dd><code>${code}</code></dd>
</dl>
<p class="meta spaced">${messages.quoteRequestId}</p>`,
  });
}
