// Stacked bar chart over time as inline SVG. The image scales, and the text beside it keeps its
// size. Screen readers receive the label and the table of the same figures.
import { type Html, html } from '../../../kernel/html/html.ts';

/** A colour of the stylesheet, `t1` to `t6`; `bad` marks failures. */
export type Tone = 't1' | 't2' | 't3' | 't4' | 't5' | 't6' | 'bad';

export type Series = {
  readonly name: string;
  readonly tone: Tone;
  /** One value per column, at least 0. */
  readonly values: readonly number[];
};

export type ChartLayout = {
  readonly caption: Html;
  readonly label: string;
  /** In order of time. `label` describes all values of a column. */
  readonly columns: readonly { readonly name: string; readonly label: string }[];
  /** Series from the bottom up. */
  readonly series: readonly Series[];
  readonly formatValue: (value: number) => string;
  /** The legend below the chart; empty where a table explains the colours. */
  readonly legend: Html;
  /** Whether values are whole numbers, so that the axis has no fractions. */
  readonly isInteger?: boolean;
};

const HEIGHT = 200;
/** Width of a column with its gap. */
const COLUMN_WIDTH = 10;
const MAX_NAMES = 5;

export function renderChart({
  caption,
  label,
  columns,
  series,
  formatValue,
  legend,
  isInteger = false,
}: ChartLayout): Html {
  const sums = columns.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const axisTop = findAxisTop(Math.max(0, ...sums), isInteger);
  const width = columns.length * COLUMN_WIDTH;
  const renderLine = (y: number) =>
    html`<line x1="0" x2="${width}" y1="${y}" y2="${y}"${y === HEIGHT && html` class="base"`}/>`;
  return html`<figure class="plot"><figcaption>${caption}</figcaption>
<div class="plot-body"><div class="plot-y" aria-hidden="true">${[axisTop, axisTop / 2, 0].map(
    (value) => html`<span>${formatValue(value)}</span>`,
  )}</div><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}" \
preserveAspectRatio="none" width="${width}" height="${HEIGHT}">\
${[0, HEIGHT / 2, HEIGHT].map(renderLine)}\
${renderBars(series, columns.length, axisTop)}${columns.map(
  (
    column,
    index,
  ) => html`<rect class="hit" x="${index * COLUMN_WIDTH}" y="0" width="${COLUMN_WIDTH}" \
height="${HEIGHT}"><title>${column.label}</title></rect>`,
)}</svg>
${renderNames(columns)}</div>${legend}</figure>`;
}

/** Renders one path for each series, for any number of columns. */
function renderBars(series: readonly Series[], columnCount: number, top: number): readonly Html[] {
  // In a chart with few columns the bars are narrow. A bar takes at most 80 % of its column.
  const barWidth = COLUMN_WIDTH * Math.min(0.8, Math.max(0.08, columnCount * 0.06));
  const heightBelow = Array.from({ length: columnCount }, () => 0);
  return series.map(({ tone, values }) => {
    const shapes = values.map((value, index) => {
      const base = heightBelow[index] ?? 0;
      heightBelow[index] = base + value;
      if (value <= 0) return '';
      const baseY = HEIGHT * (1 - base / top);
      // The lowest bar of a column has a minimum height, so that it stays visible.
      const barHeight = Math.max(base === 0 ? 2 : 0, (value / top) * HEIGHT);
      const x = index * COLUMN_WIDTH + (COLUMN_WIDTH - barWidth) / 2;
      const [left, head, width, down] = [x, baseY - barHeight, barWidth, barHeight].map(
        formatCoordinate,
      );
      return `M${left} ${head}h${width}v${down}h-${width}z`;
    });
    return html`<path class="${tone}" d="${shapes.join('')}"/>`;
  });
}

function renderNames(columns: ChartLayout['columns']): Html {
  const lastIndex = columns.length - 1;
  const isFew = columns.length <= MAX_NAMES + 2;
  const labelledColumns = isFew
    ? columns
    : Array.from(
        { length: MAX_NAMES },
        (_, index) => columns[Math.round((index * lastIndex) / (MAX_NAMES - 1))],
      );
  return html`<div class="plot-x${isFew && ' is-few'}" aria-hidden="true">${labelledColumns.map(
    (column) => html`<span>${column?.name ?? ''}</span>`,
  )}</div>`;
}

export const renderSwatch = (tone: Tone): Html =>
  html`<span class="swatch ${tone}" aria-hidden="true"></span>`;

export function renderLegend(series: readonly Pick<Series, 'name' | 'tone'>[]): Html {
  return html`<ul class="plot-legend">${series.map(
    ({ name, tone }) => html`<li>${renderSwatch(tone)}${name}</li>`,
  )}</ul>`;
}

/**
 * Returns the smallest round number that is not below `highest`. Half of this number is also
 * round.
 */
export function findAxisTop(highest: number, isInteger: boolean): number {
  if (highest <= 0) return isInteger ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const candidateTops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].map((step) =>
    Number((step * power).toPrecision(2)),
  );
  // The middle of an axis of whole numbers is whole when its top is even.
  const isSuitable = (top: number) => top >= highest && (!isInteger || top % 2 === 0);
  return candidateTops.find(isSuitable) ?? 10 * power;
}

const formatCoordinate = (value: number) => value.toFixed(2).replace(/\.?0+$/, '');
