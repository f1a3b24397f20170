// Share images: PNGs of 1200 × 630 that are identical on a machine without fonts, including
// Chinese.
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { CARD, CARD_FONT, drawCard } from '../../src/radar/pages/pictures/draw-card.ts';
import { measureTitle, openPainter } from '../../src/radar/pages/pictures/paint.ts';
import { sendRequest } from '../support/http-request.ts';
import { openReaderRadar, REPORT_KEYS, STORY } from '../support/reader-radar.ts';

const { origin, chinese } = await openReaderRadar();
const renderPng = openPainter();
const card = { siteName: 'Content Radar', kindLabel: '', footLine: '', counts: [], mark: null };
const renderImage = (title: string) => drawCard({ ...card, title }, measureTitle);

test.each([
  `/pictures/stories/${STORY}.png`,
  ...Object.entries(REPORT_KEYS).map(([name, key]) => `/pictures/${name}/${key}.png`),
])('%s is a PNG in both languages', async (path) => {
  for (const site of [origin, chinese]) {
    const { status, headers, bytes } = await sendRequest(site, { path });
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect(size).toEqual([CARD.width, CARD.height]);
  }
});

test('the project’s fonts draw simplified and traditional Chinese characters', async () => {
  // With a font that lacks the characters, all images would show the same empty box.
  const images = ['墨', '渡', '影', '像', '澄', '繁', '體'].map(renderImage).map(renderPng);
  const bytes = (await Promise.all(images)).map((png) => png.toString('base64'));
  const blankImage = (await renderPng(renderImage('\u{e000}'))).toString('base64');
  expect(new Set([...bytes, blankImage]).size).toBe(bytes.length + 1);
});

test('no line is wider than its image for any title', () => {
  const titles = [
    'W'.repeat(300),
    '墨渡影像，“今天”发布模型。'.repeat(12),
    'Marlstone 7 面世，Vantrell 称支持 64 万词元上下文 '.repeat(5),
    'iiii llll '.repeat(60),
    `<script>"&'`.repeat(40),
  ];
  for (const title of titles) {
    const texts = renderImage(title).match(/<text.*?<\/text>/gs) ?? [];
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) {
      const root = `xmlns="http://www.w3.org/2000/svg" font-family="${CARD_FONT}"`;
      const svg = `<svg ${root} width="1200" height="630">${text}</svg>`;
      const fonts = ['bold', 'regular'].map(
        (weight) => `src/radar/pages/fonts/noto-serif-sc-${weight}.otf`,
      );
      const box = new Resvg(svg, { font: { fontFiles: fonts, loadSystemFonts: false } }).getBBox();
      // The card is 1200 pixels wide and has a margin of 40 pixels.
      if (box)
        expect([title.slice(0, 9), box.x + box.width < 1160]).toEqual([title.slice(0, 9), true]);
    }
  }
});

test('no bar of the image overlaps the line of a contradiction', () => {
  const mark = 'Reports disagree: the context length, 200,000 tokens / 320,000 tokens';
  const svg = drawCard({ ...card, title: 'A title', mark, counts: [1, 4, 1] }, measureTitle);
  const baseline = Number(/y="(\d+)"[^>]*>Reports disagree/.exec(svg)?.[1]);
  const bars = [...svg.matchAll(/<rect [^>]*y="([\d.]+)"[^>]*opacity/gs)].map(([, y]) => Number(y));
  expect(bars.length).toBe(3);
  // Descenders are at most a third of 28 pixels.
  expect(Math.min(...bars)).toBeGreaterThan(baseline + 28 / 3);
});

test('renders one image once for concurrent requests', async () => {
  const svg = renderImage('One and the same');
  const [firstImage, secondImage] = await Promise.all([renderPng(svg), renderPng(svg)]);
  expect(firstImage).toBe(secondImage);
  expect(await renderPng(svg)).toBe(firstImage);
});
