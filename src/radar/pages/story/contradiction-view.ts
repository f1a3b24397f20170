// Where reports disagree, as two facing columns: who says what, and when.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoryBody, StoryContradiction } from '../../publication/documents/bodies.ts';
import { wordsOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { dateTime } from '../show-time.ts';
import { sidesOf, type Voices } from './contradiction-sides.ts';

export function disagree({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  if (story.contradictions.length === 0) return nothing;
  return html`<section class="disagree" aria-labelledby="disagree">
<h2 class="side" id="disagree">${words.disagree}</h2>
${story.contradictions.map((one, at) => facing(site.language, one, story.language, at))}</section>`;
}

function facing(
  language: 'en' | 'zh-CN',
  { subject, statements }: StoryContradiction,
  said: string,
  at: number,
): Html {
  const columns = sidesOf(statements).map(
    (side) => html`<div class="column">
${side.map((voices) => voicesOf(language, voices, said))}</div>
`,
  );
  return html`<div class="facing" role="group" aria-labelledby="disagree disagree-${at}">
<h3 id="disagree-${at}" lang="${said}">${subject}</h3>
${columns}</div>
`;
}

function voicesOf(language: 'en' | 'zh-CN', { value, statements }: Voices, said: string): Html {
  return html`<p class="value" lang="${said}">${value}</p>
<ul class="voices">
${statements.map(
  ({ reportId, source, at }) => html`<li><a href="#report-${reportId}">${source}</a> \
<span class="meta">${dateTime(language, at)}</span></li>
`,
)}</ul>
`;
}
