// The share image of a page, 1200 × 630, with the site's name, a title and a line below it. A
// story's image also has a chart of its coverage. The image is an SVG without external resources.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { breakLines, type Measure } from './break-lines.ts';

export const CARD = { width: 1200, height: 630 } as const;
export const CARD_FONT = 'Noto Serif CJK SC';

export type Card = {
  readonly siteName: string;
  /** The kind of page: "Story", "Daily · 2026-11-21". */
  readonly kindLabel: string;
  readonly title: string;
  readonly footLine: string;
  /** A contradiction or a revision as one line; null: the story has neither. */
  readonly mark: string | null;
  /** Numbers of reports over time; a chart needs at least two. */
  readonly counts: readonly number[];
};

const MARGIN = 72;
const INNER_WIDTH = CARD.width - 2 * MARGIN;
const MAX_LINES = 4;
const LINE_HEIGHT = 1.24;
const TITLE_TOP = 196;
/** Font size of the mark and of the line at the foot. */
const SMALL_SIZE = 28;
/** Font sizes, tried in this order. The first one in which the title fits is used. */
const fontSizes = [76, 64, 54] as const;
const colours = {
  paper: '#fbfaf7',
  ink: '#1b1a18',
  muted: '#5f5c56',
  accent: '#b4371f',
  warning: '#8a5a00',
};

export function drawCard(card: Card, measure: Measure): string {
  const { size, lines } = fitTitle(stripText(card.title), measure);
  const footLine = breakLines(
    stripText(card.footLine),
    { width: (INNER_WIDTH - BARS_AREA.width - BARS_GAP) / SMALL_SIZE, max: 1 },
    measure,
  )[0];
  const mark = breakLines(
    stripText(card.mark ?? ''),
    { width: INNER_WIDTH / SMALL_SIZE, max: 1 },
    measure,
  )[0];
  const drawText = (
    x: number,
    y: number,
    px: number,
    value: string,
    colour = colours.ink,
    weight = 700,
  ) =>
    html`<text x="${x}" y="${y}" font-size="${px}" font-weight="${weight}" fill="${colour}">\
${value}</text>
`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" \
height="${CARD.height}" viewBox="0 0 ${CARD.width} ${CARD.height}" font-family="${CARD_FONT}">
<rect width="${CARD.width}" height="${CARD.height}" fill="${colours.paper}"/>
<rect x="${MARGIN}" y="112" width="${INNER_WIDTH}" height="2" fill="${colours.ink}"/>
${drawText(MARGIN, 88, 30, stripText(card.siteName))}
<text x="${CARD.width - MARGIN}" y="88" font-size="26" font-weight="400" text-anchor="end" \
fill="${colours.accent}">${stripText(card.kindLabel)}</text>
${lines.map((line, index) =>
  drawText(MARGIN, TITLE_TOP + size * (0.4 + index * LINE_HEIGHT), size, line),
)}
${mark !== undefined && drawText(MARGIN, CARD.height - 112, SMALL_SIZE, mark, colours.warning)}\
${drawText(MARGIN, CARD.height - 66, SMALL_SIZE, footLine ?? '', colours.muted, 400)}
${drawCoverage(card.counts, mark === undefined ? BARS_AREA.height : BARS_AREA.belowMark)}</svg>`
    .text;
}

function fitTitle(title: string, measure: Measure) {
  for (const size of fontSizes) {
    const lines = breakLines(title, { width: INNER_WIDTH / size, max: MAX_LINES }, measure);
    // Four lines of the largest size would reach the mark.
    const max = size === fontSizes[0] ? 3 : MAX_LINES;
    if (lines.length <= max && !lines.at(-1)?.endsWith('…')) return { size, lines };
  }
  const size = fontSizes[2];
  return { size, lines: breakLines(title, { width: INNER_WIDTH / size, max: MAX_LINES }, measure) };
}

/**
 * Pixels, except `max`, the largest number of bars. `belowMark` is the height of bars below the
 * mark, whose line is as wide as the image.
 */
const BARS_AREA = { width: 260, height: 64, belowMark: 36, max: 40 };
const BARS_GAP = 40;

function drawCoverage(counts: readonly number[], height: number): Html {
  const bars = summarizeCounts(counts, BARS_AREA.max);
  if (bars.length < 2) return nothing;
  const highest = Math.max(1, ...bars);
  const step = BARS_AREA.width / bars.length;
  const barsLeft = CARD.width - MARGIN - BARS_AREA.width;
  return html`${bars.map((count, index) => {
    const barHeight = count === 0 ? 2 : Math.max(5, (count / highest) * height);
    const y = CARD.height - 60 - barHeight;
    const opacity = count === 0 ? '0.3' : '1';
    return html`<rect x="${(barsLeft + index * step).toFixed(1)}" y="${y.toFixed(1)}" \
width="${Math.max(2, step - 3).toFixed(1)}" height="${barHeight.toFixed(1)}" \
fill="${colours.accent}" opacity="${opacity}"/>
`;
  })}`;
}

/** Returns at most `max` values; each is the sum of consecutive counts. */
function summarizeCounts(counts: readonly number[], max: number): readonly number[] {
  const countsPerSum = Math.ceil(counts.length / max);
  return counts
    .filter((_, index) => index % countsPerSum === 0)
    .map((_, index) =>
      counts
        .slice(index * countsPerSum, (index + 1) * countsPerSum)
        .reduce((sum, count) => sum + count, 0),
    );
}

/** Removes characters that the font may lack. */
const stripText = (text: string) =>
  text.replace(/\p{Extended_Pictographic}|[\ufe0f\u200d]/gu, '').trim();
