// Renders charts of counts and times as SVG, without inline styles. The label of a chart is its
// text alternative; some pages also have a table.
import { type Html, html } from './html.ts';

export type BarsOptions = {
  /** The text alternative of the chart, one sentence. */
  readonly label: string;
  readonly width: number;
  readonly height: number;
};

const BAR_GAP = 1.5;

/**
 * Bars on a common base line. A zero is drawn as a thin line, so that empty periods stay visible.
 */
export function renderBars(counts: readonly number[], { label, width, height }: BarsOptions): Html {
  const highest = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length);
  const barWidth = formatNumber(Math.max(1, step - BAR_GAP));
  // All bars share one path, and all zero lines share one path, because a page may contain
  // hundreds.
  const drawShapes = (isBar: boolean) =>
    counts
      .map((count, index) => {
        const barHeight = count === 0 ? 1 : Math.max(2, (count / highest) * (height - 2));
        const [x, y, shapeHeight] = [index * step, height - barHeight, barHeight].map(formatNumber);
        return count > 0 === isBar ? `M${x} ${y}h${barWidth}v${shapeHeight}h-${barWidth}z` : '';
      })
      .join('');
  return html`<svg class="chart" role="img" aria-label="${label}" \
viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\
<path class="bar" d="${drawShapes(true)}"/><path class="bar none" d="${drawShapes(false)}"/></svg>`;
}

export type TimelinePoint = {
  readonly label: string;
  readonly count: number;
};

/** Bars with the labels of the first, the middle and the last bar below them. */
export function renderTimelineBars(points: readonly TimelinePoint[], label: string): Html {
  const [width, height, footHeight] = [640, 96, 26];
  const highest = Math.max(1, ...points.map(({ count }) => count));
  const step = width / Math.max(1, points.length);
  const shapes = points.map(({ count, label: name }, index) => {
    const barHeight = count === 0 ? 0 : Math.max(2, (count / highest) * (height - 22));
    return html`<rect class="bar" x="${formatNumber(index * step)}" y="\
${formatNumber(height - barHeight)}" \
width="${formatNumber(Math.max(1, step - 2))}" height="${formatNumber(barHeight)}">\
<title>${name}: ${count}</title></rect>`;
  });
  const lastIndex = points.length - 1;
  const labelledIndexes = [...new Set([0, Math.floor(lastIndex / 2), lastIndex])].filter(
    (index) => index >= 0,
  );
  const placeLabel = (index: number) => {
    if (index === 0) return { anchor: 'start', x: 0 };
    if (index === lastIndex) return { anchor: 'end', x: width };
    return { anchor: 'middle', x: (index + 0.5) * step };
  };
  const labels = labelledIndexes.map((index) => {
    const { anchor, x } = placeLabel(index);
    return html`<text class="${anchor}" x="${formatNumber(x)}" y="${height + footHeight - 4}" \
text-anchor="${anchor}">\
${points[index]?.label ?? ''}</text>`;
  });
  return html`<svg class="chart timeline" role="img" aria-label="${label}" \
viewBox="0 0 ${width} ${height + footHeight}" width="${width}" height="${height + footHeight}">\
<line class="axis" x1="0" x2="${width}" y1="${height}" y2="${height}"/>\
<text x="0" y="12">${highest}</text>${shapes}${labels}</svg>`;
}

export type TimelineDot = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly name: string;
  /** The time as text. */
  readonly label: string;
};

/**
 * One labelled row for each dot, on a common time axis. `dots` are in order of time. A long name is
 * cut at the axis, because narrow screens enlarge texts.
 */
export function renderTimelineDots(dots: readonly TimelineDot[], label: string): Html {
  const [width, rowHeight, labelWidth, footHeight] = [640, 26, 220, 22];
  const height = dots.length * rowHeight;
  const times = dots.map(({ at }) => at);
  const [firstAt, lastAt] = [Math.min(...times), Math.max(...times)];
  const xAt = (at: number) =>
    labelWidth +
    8 +
    (lastAt === firstAt ? 0 : ((at - firstAt) / (lastAt - firstAt)) * (width - labelWidth - 16));
  const shapes = dots.map(({ at, name, label: time }, index) => {
    const y = index * rowHeight + rowHeight / 2;
    return html`<line class="axis" x1="${labelWidth}" x2="${width}" y1="${y}" y2="${y}"/>\
<svg y="${y - rowHeight / 2}" width="${labelWidth - 8}" height="${rowHeight}">\
<title>${name}</title><text x="0" y="${rowHeight / 2 + 5}">${name}</text></svg>\
<circle class="bar" cx="${formatNumber(xAt(at))}" cy="${y}" r="5">\
<title>${name}: ${time}</title></circle>`;
  });
  const axisLabels = [dots[0]?.label ?? '', lastAt === firstAt ? '' : (dots.at(-1)?.label ?? '')];
  return html`<svg class="chart timeline" role="img" aria-label="${label}" \
viewBox="0 0 ${width} ${height + footHeight}" width="${width}" height="${height + footHeight}">\
${shapes}<text x="${labelWidth}" y="${height + footHeight - 4}">${axisLabels[0]}</text>\
<text x="${width}" y="${height + footHeight - 4}" text-anchor="end">${axisLabels[1]}</text></svg>`;
}

const formatNumber = (value: number) => value.toFixed(1).replace(/\.0$/, '');
