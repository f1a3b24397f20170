// The reports of a story over time, as a chart and as a table. Up to seven reports are dots
// labelled by source; more are bars.
import { renderTimelineBars, renderTimelineDots } from '../../../kernel/html/charts.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { formatDate, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable } from '../../../kernel/web/list-table.ts';
import type { StoryBody } from '../../publication/documents/bodies.ts';
import { readerMessages } from '../messages/reader.ts';
import type { PageContext } from '../page-context.ts';

const BARS_MIN_REPORTS = 8;

export function renderCoverage(context: PageContext, story: StoryBody): Html {
  const { site, world } = context;
  const messages = readerMessages(site.language);
  // A chart needs at least two reports.
  if (story.reportCount < 2) return nothing;
  const now = world.clock.now();
  const formatLabel = (at: number) => formatDate(site.language, at, now);
  const draw = story.reportCount < BARS_MIN_REPORTS ? renderDots : renderBars;
  return html`<section class="coverage">
<h2 class="side">${messages.coverage}</h2>
${draw(story, formatLabel, messages.coverageLabel)}
${renderTable(context, story)}
</section>`;
}

type DescribeChart = (reports: number, spans: number) => string;

function renderDots(
  story: StoryBody,
  formatLabel: (at: number) => string,
  describe: DescribeChart,
): Html {
  const points = story.reports
    .map(({ at, sourceName }) => ({ at, name: sourceName, label: formatLabel(at) }))
    .reverse();
  return renderTimelineDots(points, describe(story.reportCount, points.length));
}

function renderBars(
  story: StoryBody,
  formatLabel: (at: number) => string,
  describe: DescribeChart,
): Html {
  const points = story.coverage.map(({ at, count }) => ({ label: formatLabel(at), count }));
  return renderTimelineBars(points, describe(story.reportCount, points.length));
}

function renderTable(context: PageContext, story: StoryBody): Html {
  const messages = readerMessages(context.site.language);
  const rows = story.coverage.filter(({ count }) => count > 0);
  return html`<details><summary>${messages.asTable}</summary>
${renderListTable(
  [{ label: messages.time }, { label: messages.reports, isNumber: true }],
  rows.map(({ at, count }) => [renderDateTime(context, at), count]),
)}
</details>`;
}
