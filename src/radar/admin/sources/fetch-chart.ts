// The fetches of a source as a chart: items per day above the axis, failures below it, each on a
// scale from zero. The table behind it has the same numbers.

import { type Html, html } from '../../../kernel/html/html.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { formatShortDay } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import type { FetchSpan } from '../../sources/source-record.ts';
import { adminMessages } from '../messages/messages.ts';

/** A small chart for a row of a list. */
export function readingSpark(language: Language, days: readonly FetchSpan[]): Html {
  const messages = adminMessages(language);
  return renderChart(days, {
    width: 112,
    up: 20,
    down: 8,
    label: messages.chartLabel(sumSpans(days)),
  });
}

/** `now`: the end of the last day. */
export function readingChart(language: Language, days: readonly FetchSpan[], now: number): Html {
  const messages = adminMessages(language);
  const dayOf = (n: number) => formatShortDay(language, now - (days.length - 1 - n) * DAY_MS);
  const size = { width: 640, up: 84, down: 28 };
  return html`<figure class="coverage">
${renderChart(days, { ...size, label: messages.chartLabel(sumSpans(days)), names: dayOf })}
<figcaption class="meta"><span><i class="key"></i>${messages.created}</span>\
<span><i class="key is-failure"></i>${messages.failures}</span></figcaption>
<details><summary>${messages.asTable}</summary>${renderListTable(
    [
      { label: messages.day },
      { label: messages.readings, isNumber: true },
      { label: messages.created, isNumber: true },
      { label: messages.failures, isNumber: true },
    ],
    days.map(({ readings, created, failures }, index) => [
      rowHeading(dayOf(index)),
      readings,
      created,
      failures,
    ]),
    { isTight: true, stacks: false },
  )}</details>
</figure>`;
}

function sumSpans(days: readonly FetchSpan[]): FetchSpan {
  const sum = (countIn: (day: FetchSpan) => number) =>
    days.reduce((all, day) => all + countIn(day), 0);
  return {
    readings: sum(({ readings }) => readings),
    failures: sum(({ failures }) => failures),
    created: sum(({ created }) => created),
  };
}

type ChartView = {
  readonly width: number;
  readonly up: number;
  readonly down: number;
  readonly label: string;
  readonly names?: (at: number) => string;
};

function renderChart(
  days: readonly FetchSpan[],
  { width, up, down, label, names }: ChartView,
): Html {
  const maxCreated = Math.max(1, ...days.map(({ created }) => created));
  const maxFailures = Math.max(1, ...days.map(({ failures }) => failures));
  const step = width / Math.max(1, days.length);
  const bar = (n: number, y: number, barHeight: number, kind: string, title: string) =>
    html`<rect class="${kind}" x="${fixed(n * step)}" y="${fixed(y)}" \
width="${fixed(step * 0.72)}" height="${fixed(barHeight)}"><title>${title}</title></rect>`;
  const bars = days.map(({ created, failures }, index) => {
    const [rise, fall] = [(created / maxCreated) * (up - 2), (failures / maxFailures) * (down - 2)];
    const name = names === undefined ? '' : `${names(index)}: `;
    const barHeight = Math.max(2, rise);
    return html`${created > 0 && bar(index, up - barHeight, barHeight, 'bar', `${name}${created}`)}\
${failures > 0 && bar(index, up + 1, Math.max(2, fall), 'bar is-failure', `${name}${failures}`)}`;
  });
  const footHeight = names === undefined ? 0 : 24;
  const height = up + down + footHeight;
  return html`<svg class="chart readings${names !== undefined && ' timeline'}" role="img" \
aria-label="${label}" \
viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\
<line class="axis" x1="0" x2="${width}" y1="${up + 0.5}" y2="${up + 0.5}"/>${bars}\
${
  names !== undefined &&
  html`<text x="0" y="10">${maxCreated}</text><text x="0" y="${height - 4}">${names(0)}</text>\
<text x="${width}" y="${height - 4}" text-anchor="end">${names(days.length - 1)}</text>`
}</svg>`;
}

const fixed = (value: number) => value.toFixed(1).replace(/\.0$/, '');
