// A small stroke alphabet: capital letters, digits and some Chinese characters as lines and arcs on
// a grid ten units high. Images with text therefore need no font file.

export type Point = readonly [x: number, y: number];
export type Glyph = { readonly width: number; readonly strokes: readonly (readonly Point[])[] };

/** `x,y x,y …` with a comma between strokes: pairs of numbers, `/` between strokes. */
function lines(text: string): readonly (readonly Point[])[] {
  return text.split('/').map((stroke) => {
    const numbers = stroke.trim().split(/\s+/).map(Number);
    return Array.from({ length: numbers.length / 2 }, (_, i): Point => {
      return [numbers[i * 2] ?? 0, numbers[i * 2 + 1] ?? 0];
    });
  });
}

/** Part of an ellipse; angles in degrees, clockwise from the right. */
function arc(box: readonly [number, number, number, number], from: number, to: number): Point[] {
  const [x0, y0, x1, y1] = box;
  return Array.from({ length: 17 }, (_, i): Point => {
    const angle = ((from + ((to - from) * i) / 16) * Math.PI) / 180;
    const [rx, ry] = [(x1 - x0) / 2, (y1 - y0) / 2];
    return [x0 + rx + Math.cos(angle) * rx, y0 + ry + Math.sin(angle) * ry];
  });
}

const glyph = (width: number, ...strokes: readonly (readonly Point[])[]): Glyph => {
  return { width, strokes };
};
const drawGlyphs = (width: number, text: string) => glyph(width, ...lines(text));

const bowl = (top: number, bottom: number) => [
  ...lines(`0 ${top} 3 ${top}`),
  arc([0, top, 6, bottom], -90, 90),
  ...lines(`3 ${bottom} 0 ${bottom}`),
];

export const glyphs: Readonly<Record<string, Glyph>> = {
  ' ': drawGlyphs(4, '0 0'),
  A: drawGlyphs(8, '0 10 4 0 8 10 / 1.5 6.5 6.5 6.5'),
  B: glyph(6, ...lines('0 0 0 10'), ...bowl(0, 5), ...bowl(5, 10)),
  C: glyph(8, arc([0, 0, 8, 10], 315, 45)),
  D: glyph(7, ...lines('0 0 0 10 / 0 0 3 0 / 0 10 3 10'), arc([-1, 0, 7, 10], -90, 90)),
  E: drawGlyphs(6, '6 0 0 0 0 10 6 10 / 0 5 5 5'),
  F: drawGlyphs(6, '6 0 0 0 0 10 / 0 5 5 5'),
  G: glyph(8, arc([0, 0, 8, 10], 315, 0), ...lines('8 5 5 5')),
  H: drawGlyphs(7, '0 0 0 10 / 7 0 7 10 / 0 5 7 5'),
  I: drawGlyphs(1, '0.5 0 0.5 10'),
  J: glyph(5, ...lines('5 0 5 7.5'), arc([0, 5, 5, 10], 0, 180)),
  K: drawGlyphs(7, '0 0 0 10 / 7 0 0 6 / 2.5 4 7 10'),
  L: drawGlyphs(6, '0 0 0 10 6 10'),
  M: drawGlyphs(9, '0 10 0 0 4.5 7 9 0 9 10'),
  N: drawGlyphs(7, '0 10 0 0 7 10 7 0'),
  O: glyph(9, arc([0, 0, 9, 10], 0, 360)),
  P: glyph(6, ...lines('0 0 0 10'), ...bowl(0, 5.5)),
  R: glyph(7, ...lines('0 0 0 10 / 3 5.5 7 10'), ...bowl(0, 5.5)),
  S: glyph(7, arc([0, 0, 7, 5], 330, 90), arc([0, 5, 7, 10], 270, 510)),
  T: drawGlyphs(8, '0 0 8 0 / 4 0 4 10'),
  U: glyph(7, ...lines('0 0 0 6.5 / 7 0 7 6.5'), arc([0, 3, 7, 10], 0, 180)),
  V: drawGlyphs(8, '0 0 4 10 8 0'),
  W: drawGlyphs(11, '0 0 2.75 10 5.5 2 8.25 10 11 0'),
  X: drawGlyphs(7, '0 0 7 10 / 7 0 0 10'),
  Y: drawGlyphs(8, '0 0 4 5 8 0 / 4 5 4 10'),
  Z: drawGlyphs(7, '0 0 7 0 0 10 7 10'),
  1: drawGlyphs(4, '0 2 2.5 0 2.5 10'),
  2: glyph(6, arc([0, 0, 6, 6], 180, 360), ...lines('6 3 0 10 6 10')),
  4: drawGlyphs(7, '5 10 5 0 0 7 7 7'),
  7: drawGlyphs(6, '0 0 6 0 2 10'),
  一: drawGlyphs(10, '0 5 10 5'),
  二: drawGlyphs(10, '1 2 9 2 / 0 9 10 9'),
  三: drawGlyphs(10, '1 1 9 1 / 1.5 5 8.5 5 / 0 9.5 10 9.5'),
  十: drawGlyphs(10, '0 4 10 4 / 5 0 5 10'),
  大: drawGlyphs(10, '0 3.5 10 3.5 / 5 0 5 3.5 0 10 / 5 3.5 10 10'),
  人: drawGlyphs(10, '5 0 4.6 4 0 10 / 4.8 3.5 10 10'),
  中: drawGlyphs(10, '1 2 1 7 / 1 2 9 2 9 7 / 1 6.6 9 6.6 / 5 0 5 10'),
  国: glyph(
    10,
    ...lines('0 0 0 10 / 0 0 10 0 10 10 / 0 9.7 10 9.7 / 2.5 2.6 7.5 2.6'),
    ...lines('2.8 5 7.2 5 / 2 7.6 8 7.6 / 5 2.6 5 7.6 / 6.4 5.8 7.2 7'),
  ),
  日: drawGlyphs(8, '0 0 0 10 / 0 0 8 0 8 10 / 0 4.8 8 4.8 / 0 9.6 8 9.6'),
  本: drawGlyphs(10, '0 3 10 3 / 5 0 5 10 / 4.8 3 0 8.5 / 5.2 3 10 8.5 / 3 7.6 7 7.6'),
  山: drawGlyphs(10, '5 0 5 9.6 / 0 4 0 9.6 10 9.6 / 10 4 10 10'),
  上: drawGlyphs(10, '4.6 0 4.6 9.6 / 4.6 4.4 8.6 4.4 / 0 9.6 10 9.6'),
  下: drawGlyphs(10, '0 0.6 10 0.6 / 4.6 0.6 4.6 10 / 4.8 3.6 8.4 6'),
  工: drawGlyphs(10, '1 1 9 1 / 5 1 5 9 / 0 9 10 9'),
  王: drawGlyphs(10, '0.6 0.6 9.4 0.6 / 1 5 9 5 / 0 9.6 10 9.6 / 5 0.6 5 9.6'),
  田: drawGlyphs(10, '0 0 0 10 / 0 0 10 0 10 10 / 0 4.9 10 4.9 / 5 0 5 9.6 / 0 9.6 10 9.6'),
  木: drawGlyphs(10, '0 3 10 3 / 5 0 5 10 / 4.8 3 0 9 / 5.2 3 10 9'),
};
