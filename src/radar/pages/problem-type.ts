// `/problems/{code}`: what a problem's `type` points to, for a person who follows it.
import { type Code, codes } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { html } from '../../kernel/html/html.ts';
import { problemWords } from './messages/problems.ts';
import { wordsOf } from './messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';

export function problemTypePage(context: PageContext, asked: PageAsked): PageAnswer {
  const { language } = context.site;
  const words = wordsOf(language);
  const code = (asked.params.code ?? '').replaceAll('-', '_');
  const said = problemWords(language, code);
  if (said === null) throw new Fault('not_found', 'There is no problem of that name.');
  return pageAnswer(context, {
    title: said.title,
    description: said.advice,
    canonical: null,
    section: null,
    main: html`<div class="page-head">
<p class="label">${words.problemLabel}</p>
<h1>${said.title}</h1>
</div>
<div class="text"><p>${said.advice}</p></div>
<dl class="facts spaced">
<dt>${words.httpStatus}</dt><dd class="figure">${codes[code as Code].status}</dd>
<dt>${words.code}</dt><dd><code>${code}</code></dd>
</dl>
<p class="meta spaced">${words.quoteRequestId}</p>`,
  });
}
