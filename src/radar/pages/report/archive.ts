// The archive of a kind of report: dailies in calendars by month, other reports in lists by year.
import { Temporal } from 'temporal-polyfill';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import { readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';
import { ariaCurrent } from '../page-layout.ts';
import type { ReportPageName } from './report-key.ts';

const ARCHIVE_MAX = 400;

export function renderArchive(
  context: PageContext,
  name: ReportPageName,
  currentKey: string,
): Html {
  const { publication, site } = context;
  const keys = newestDocuments(publication.readModel(), name, ARCHIVE_MAX).map(({ key }) => key);
  if (keys.length < 2) return nothing;
  const list =
    name === 'daily'
      ? renderCalendars(context, keys, currentKey)
      : renderYears(context, name, keys, currentKey);
  return html`<section class="archive"><h2 class="side">\
${readerMessages(site.language).archive}</h2>
${list}</section>`;
}

function renderYears(
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
  (key) => html`<li><a href="/${name}/${key}"${ariaCurrent(key === currentKey)}>\
${formatIssueName(name, key, language)}</a></li>
`,
)}</ul>
`,
  )}`;
}

function renderCalendars({ site }: PageContext, keys: readonly string[], currentKey: string): Html {
  const byMonth = Map.groupBy(keys, (key) => key.slice(0, 7));
  return html`<div class="calendar">
${[...byMonth].map(([month, days]) =>
  renderCalendar(site.language, month, new Set(days), currentKey),
)}\
</div>`;
}

function renderCalendar(
  language: 'en' | 'zh-CN',
  month: string,
  days: ReadonlySet<string>,
  currentKey: string,
): Html {
  const firstDay = Temporal.PlainDate.from(`${month}-01`);
  const emptyCells = Array.from({ length: firstDay.dayOfWeek - 1 }, () => html`<td></td>`);
  const cells = Array.from({ length: firstDay.daysInMonth }, (_, index) => {
    const day = firstDay.add({ days: index }).toString();
    return days.has(day)
      ? html`<td><a href="/daily/${day}"${ariaCurrent(day === currentKey)}>${index + 1}</a></td>`
      : html`<td>${index + 1}</td>`;
  });
  const allCells = [...emptyCells, ...cells];
  const weeks = Array.from({ length: Math.ceil(allCells.length / 7) }, (_, index) =>
    allCells.slice(index * 7, index * 7 + 7),
  );
  return html`<table>
<caption>${formatIssueName('monthly', month, language)}</caption>
<tbody>${weeks.map((week) => html`<tr>${week}</tr>`)}</tbody>
</table>
`;
}
