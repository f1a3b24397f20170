// The archive of a kind of report: dailies as calendars of months, the others as lists of years.
import { Temporal } from 'temporal-polyfill';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import { messagesOf } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { current } from '../page-layout.ts';
import type { ReportPageName } from './report-lead.ts';

const HELD = 400;

export function archive(context: PageContext, name: ReportPageName, currentKey: string): Html {
  const { publication, site } = context;
  const keys = newestDocuments(publication.readModel(), name, HELD).map(({ key }) => key);
  if (keys.length < 2) return nothing;
  const list =
    name === 'daily'
      ? calendars(context, keys, currentKey)
      : years(context, name, keys, currentKey);
  return html`<section class="archive"><h2 class="side">${messagesOf(site.language).archive}</h2>
${list}</section>`;
}

function years(
  { site: { language } }: PageContext,
  name: ReportPageName,
  keys: readonly string[],
  currentKey: string,
): Html {
  const byYear = Map.groupBy(keys, (key) => key.slice(0, 4));
  return html`${[...byYear].map(
    ([year, listed]) => html`<h3>${year}</h3>
<ul class="row">
${listed.map(
  (key) => html`<li><a href="/${name}/${key}"${current(key === currentKey)}>\
${formatIssueName(name, key, language)}</a></li>
`,
)}</ul>
`,
  )}`;
}

function calendars({ site }: PageContext, keys: readonly string[], currentKey: string): Html {
  const byMonth = Map.groupBy(keys, (key) => key.slice(0, 7));
  return html`<div class="calendar">
${[...byMonth].map(([month, days]) => calendar(site.language, month, new Set(days), currentKey))}\
</div>`;
}

function calendar(
  language: 'en' | 'zh-CN',
  month: string,
  days: ReadonlySet<string>,
  currentKey: string,
): Html {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const blanks = Array.from({ length: first.dayOfWeek - 1 }, () => html`<td></td>`);
  const cells = Array.from({ length: first.daysInMonth }, (_, index) => {
    const day = first.add({ days: index }).toString();
    return days.has(day)
      ? html`<td><a href="/daily/${day}"${current(day === currentKey)}>${index + 1}</a></td>`
      : html`<td>${index + 1}</td>`;
  });
  const all = [...blanks, ...cells];
  const weeks = Array.from({ length: Math.ceil(all.length / 7) }, (_, index) =>
    all.slice(index * 7, index * 7 + 7),
  );
  return html`<table>
<caption>${formatIssueName('monthly', month, language)}</caption>
<tbody>${weeks.map((week) => html`<tr>${week}</tr>`)}</tbody>
</table>
`;
}
