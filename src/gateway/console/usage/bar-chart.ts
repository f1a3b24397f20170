// Stacked bar chart over time as inline SVG. The image scales while its text beside it keeps its
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
  /** Below the chart; nothing where a table names the colours. */
  readonly legend: Html;
  /** Whether values are whole numbers, so that the axis has no fractions. */
  readonly isInteger?: boolean;
};

const HEIGHT = 200;
/** Width of a column with its gap. */
const STEP = 10;
const NAMES = 5;

export function plot({
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
  const top = roundAbove(Math.max(0, ...sums), isInteger);
  const width = columns.length * STEP;
  const line = (y: number) =>
    html`<line x1="0" x2="${width}" y1="${y}" y2="${y}"${y === HEIGHT && html` class="base"`}/>`;
  return html`<figure class="plot"><figcaption>${caption}</figcaption>
<div class="plot-body"><div class="plot-y" aria-hidden="true">${[top, top / 2, 0].map(
    (value) => html`<span>${formatValue(value)}</span>`,
  )}</div><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}" \
preserveAspectRatio="none" width="${width}" height="${HEIGHT}">${[0, HEIGHT / 2, HEIGHT].map(line)}\
${barPaths(series, columns.length, top)}${columns.map(
  (column, index) => html`<rect class="hit" x="${index * STEP}" y="0" width="${STEP}" \
height="${HEIGHT}"><title>${column.label}</title></rect>`,
)}</svg>
${namesBelow(columns)}</div>${legend}</figure>`;
}

/** One path for each series, however many columns there are. */
function barPaths(series: readonly Series[], columns: number, top: number): readonly Html[] {
  // Maximum width of a bar.
  const barWidth = STEP * Math.min(0.8, Math.max(0.08, columns * 0.06));
  const below = Array.from({ length: columns }, () => 0);
  return series.map(({ tone, values }) => {
    const shapes = values.map((value, index) => {
      const base = below[index] ?? 0;
      below[index] = base + value;
      if (value <= 0) return '';
      const baseY = HEIGHT * (1 - base / top);
      // Minimum height of a bar that is not zero.
      const barHeight = Math.max(base === 0 ? 2 : 0, (value / top) * HEIGHT);
      const x = index * STEP + (STEP - barWidth) / 2;
      const [left, head, down] = [x, baseY - barHeight, barHeight].map(fixed);
      return `M${left} ${head}h${fixed(barWidth)}v${down}h-${fixed(barWidth)}z`;
    });
    return html`<path class="${tone}" d="${shapes.join('')}"/>`;
  });
}

function namesBelow(columns: ChartLayout['columns']): Html {
  const last = columns.length - 1;
  const isFew = columns.length <= NAMES + 2;
  const labelled = isFew
    ? columns
    : Array.from(
        { length: NAMES },
        (_, index) => columns[Math.round((index * last) / (NAMES - 1))],
      );
  return html`<div class="plot-x${isFew && ' is-few'}" aria-hidden="true">${labelled.map(
    (column) => html`<span>${column?.name ?? ''}</span>`,
  )}</div>`;
}

export const swatch = (tone: Tone): Html =>
  html`<span class="swatch ${tone}" aria-hidden="true"></span>`;

/** The legend; empty for a single series. */
export function plotLegend(series: readonly Pick<Series, 'name' | 'tone'>[]): Html {
  return html`<ul class="plot-legend">${series.map(
    ({ name, tone }) => html`<li>${swatch(tone)}${name}</li>`,
  )}</ul>`;
}

/** The least round number above the highest column. Its half is round as well. */
export function roundAbove(highest: number, isInteger: boolean): number {
  if (highest <= 0) return isInteger ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const candidateTops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].map((step) =>
    Number((step * power).toPrecision(2)),
  );
  const isSuitable = (top: number) => top >= highest && (!isInteger || top % 2 === 0);
  return candidateTops.find(isSuitable) ?? 10 * power;
}

const fixed = (value: number) => value.toFixed(2).replace(/\.?0+$/, '');
