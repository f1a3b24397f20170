// Draws the fetches of a source as a chart: items per day above the axis, failures below the axis,
// each on a scale from zero. The table below the chart has the same numbers.

import { type Html, html } from '../../../kernel/html/html.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { formatShortDay } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import type { FetchSpan } from '../../sources/source-record.ts';
import { adminMessages } from '../messages/messages.ts';

/** A small chart for a row of a list. */
export function renderFetchSparkline(language: Language, days: readonly FetchSpan[]): Html {
  const messages = adminMessages(language);
  return renderChart(days, {
    width: 112,
    itemsHeight: 20,
    failuresHeight: 8,
    label: messages.chartLabel(sumDays(days)),
  });
}

/** `now`: the end of the last day, in epoch milliseconds. */
export function renderFetchChart(
  language: Language,
  days: readonly FetchSpan[],
  now: number,
): Html {
  const messages = adminMessages(language);
  const dayOf = (index: number) =>
    formatShortDay(language, now - (days.length - 1 - index) * DAY_MS);
  const size = { width: 640, itemsHeight: 84, failuresHeight: 28 };
  return html`<figure class="coverage">
${renderChart(days, { ...size, label: messages.chartLabel(sumDays(days)), nameOf: dayOf })}
<figcaption class="meta"><span><i class="key"></i>${messages.created}</span>\
<span><i class="key is-failure"></i>${messages.failures}</span></figcaption>
<details><summary>${messages.asTable}</summary>${renderListTable(
    [
      { label: messages.day },
      { label: messages.fetches, isNumber: true },
      { label: messages.created, isNumber: true },
      { label: messages.failures, isNumber: true },
    ],
    days.map(({ fetches, created, failures }, index) => [
      rowHeading(dayOf(index)),
      fetches,
      created,
      failures,
    ]),
    { isTight: true, isStacked: false },
  )}</details>
</figure>`;
}

function sumDays(days: readonly FetchSpan[]): FetchSpan {
  const sum = (countIn: (day: FetchSpan) => number) =>
    days.reduce((all, day) => all + countIn(day), 0);
  return {
    fetches: sum(({ fetches }) => fetches),
    failures: sum(({ failures }) => failures),
    created: sum(({ created }) => created),
  };
}

type ChartView = {
  readonly width: number;
  readonly itemsHeight: number;
  readonly failuresHeight: number;
  readonly label: string;
  /** The name of the day with this index; absent: a chart without day names. */
  readonly nameOf?: (index: number) => string;
};

function renderChart(
  days: readonly FetchSpan[],
  { width, itemsHeight, failuresHeight, label, nameOf }: ChartView,
): Html {
  const maxCreated = Math.max(1, ...days.map(({ created }) => created));
  const maxFailures = Math.max(1, ...days.map(({ failures }) => failures));
  const step = width / Math.max(1, days.length);
  const renderBar = (index: number, y: number, barHeight: number, kind: string, title: string) =>
    html`<rect class="${kind}" x="${formatCoordinate(index * step)}" y="${formatCoordinate(y)}" \
width="${formatCoordinate(step * 0.72)}" height="${formatCoordinate(barHeight)}">\
<title>${title}</title></rect>`;
  const bars = days.map(({ created, failures }, index) => {
    const name = nameOf === undefined ? '' : `${nameOf(index)}: `;
    const barHeight = Math.max(2, (created / maxCreated) * (itemsHeight - 2));
    const itemsTop = itemsHeight - barHeight;
    const failureHeight = Math.max(2, (failures / maxFailures) * (failuresHeight - 2));
    return html`${created > 0 && renderBar(index, itemsTop, barHeight, 'bar', `${name}${created}`)}\
${
  failures > 0 &&
  renderBar(index, itemsHeight + 1, failureHeight, 'bar is-failure', `${name}${failures}`)
}`;
  });
  const footHeight = nameOf === undefined ? 0 : 24;
  const height = itemsHeight + failuresHeight + footHeight;
  return html`<svg class="chart readings${nameOf !== undefined && ' timeline'}" role="img" \
aria-label="${label}" \
viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\
<line class="axis" x1="0" x2="${width}" \
y1="${itemsHeight + 0.5}" y2="${itemsHeight + 0.5}"/>${bars}\
${
  nameOf !== undefined &&
  html`<text x="0" y="10">${maxCreated}</text><text x="0" y="${height - 4}">${nameOf(0)}</text>\
<text x="${width}" y="${height - 4}" text-anchor="end">${nameOf(days.length - 1)}</text>`
}</svg>`;
}

const formatCoordinate = (value: number) => value.toFixed(1).replace(/\.0$/, '');
