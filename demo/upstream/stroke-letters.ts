// Defines a small stroke alphabet: capital letters, digits and some Chinese characters as lines and
// arcs on a grid ten units high. Images with text therefore need no font file.

export type Point = readonly [x: number, y: number];
export type Glyph = { readonly width: number; readonly strokes: readonly (readonly Point[])[] };

/** Parses `x y x y … / x y …`: pairs of numbers, and `/` between strokes. */
function parseStrokes(text: string): readonly (readonly Point[])[] {
  return text.split('/').map((stroke) => {
    const numbers = stroke.trim().split(/\s+/).map(Number);
    return Array.from({ length: numbers.length / 2 }, (_, index): Point => {
      return [numbers[index * 2] ?? 0, numbers[index * 2 + 1] ?? 0];
    });
  });
}

/** Part of an ellipse; angles in degrees, clockwise from the right. */
function arc(box: readonly [number, number, number, number], from: number, to: number): Point[] {
  const [x0, y0, x1, y1] = box;
  return Array.from({ length: 17 }, (_, index): Point => {
    const angle = ((from + ((to - from) * index) / 16) * Math.PI) / 180;
    const [rx, ry] = [(x1 - x0) / 2, (y1 - y0) / 2];
    return [x0 + rx + Math.cos(angle) * rx, y0 + ry + Math.sin(angle) * ry];
  });
}

const makeGlyph = (width: number, ...strokes: readonly (readonly Point[])[]): Glyph => {
  return { width, strokes };
};
const strokeGlyph = (width: number, text: string) => makeGlyph(width, ...parseStrokes(text));

const bowl = (top: number, bottom: number) => [
  ...parseStrokes(`0 ${top} 3 ${top}`),
  arc([0, top, 6, bottom], -90, 90),
  ...parseStrokes(`3 ${bottom} 0 ${bottom}`),
];

export const glyphs: Readonly<Record<string, Glyph>> = {
  ' ': strokeGlyph(4, '0 0'),
  A: strokeGlyph(8, '0 10 4 0 8 10 / 1.5 6.5 6.5 6.5'),
  B: makeGlyph(6, ...parseStrokes('0 0 0 10'), ...bowl(0, 5), ...bowl(5, 10)),
  C: makeGlyph(8, arc([0, 0, 8, 10], 315, 45)),
  D: makeGlyph(7, ...parseStrokes('0 0 0 10 / 0 0 3 0 / 0 10 3 10'), arc([-1, 0, 7, 10], -90, 90)),
  E: strokeGlyph(6, '6 0 0 0 0 10 6 10 / 0 5 5 5'),
  F: strokeGlyph(6, '6 0 0 0 0 10 / 0 5 5 5'),
  G: makeGlyph(8, arc([0, 0, 8, 10], 315, 0), ...parseStrokes('8 5 5 5')),
  H: strokeGlyph(7, '0 0 0 10 / 7 0 7 10 / 0 5 7 5'),
  I: strokeGlyph(1, '0.5 0 0.5 10'),
  J: makeGlyph(5, ...parseStrokes('5 0 5 7.5'), arc([0, 5, 5, 10], 0, 180)),
  K: strokeGlyph(7, '0 0 0 10 / 7 0 0 6 / 2.5 4 7 10'),
  L: strokeGlyph(6, '0 0 0 10 6 10'),
  M: strokeGlyph(9, '0 10 0 0 4.5 7 9 0 9 10'),
  N: strokeGlyph(7, '0 10 0 0 7 10 7 0'),
  O: makeGlyph(9, arc([0, 0, 9, 10], 0, 360)),
  P: makeGlyph(6, ...parseStrokes('0 0 0 10'), ...bowl(0, 5.5)),
  R: makeGlyph(7, ...parseStrokes('0 0 0 10 / 3 5.5 7 10'), ...bowl(0, 5.5)),
  S: makeGlyph(7, arc([0, 0, 7, 5], 330, 90), arc([0, 5, 7, 10], 270, 510)),
  T: strokeGlyph(8, '0 0 8 0 / 4 0 4 10'),
  U: makeGlyph(7, ...parseStrokes('0 0 0 6.5 / 7 0 7 6.5'), arc([0, 3, 7, 10], 0, 180)),
  V: strokeGlyph(8, '0 0 4 10 8 0'),
  W: strokeGlyph(11, '0 0 2.75 10 5.5 2 8.25 10 11 0'),
  X: strokeGlyph(7, '0 0 7 10 / 7 0 0 10'),
  Y: strokeGlyph(8, '0 0 4 5 8 0 / 4 5 4 10'),
  Z: strokeGlyph(7, '0 0 7 0 0 10 7 10'),
  1: strokeGlyph(4, '0 2 2.5 0 2.5 10'),
  2: makeGlyph(6, arc([0, 0, 6, 6], 180, 360), ...parseStrokes('6 3 0 10 6 10')),
  4: strokeGlyph(7, '5 10 5 0 0 7 7 7'),
  7: strokeGlyph(6, '0 0 6 0 2 10'),
  一: strokeGlyph(10, '0 5 10 5'),
  二: strokeGlyph(10, '1 2 9 2 / 0 9 10 9'),
  三: strokeGlyph(10, '1 1 9 1 / 1.5 5 8.5 5 / 0 9.5 10 9.5'),
  十: strokeGlyph(10, '0 4 10 4 / 5 0 5 10'),
  大: strokeGlyph(10, '0 3.5 10 3.5 / 5 0 5 3.5 0 10 / 5 3.5 10 10'),
  人: strokeGlyph(10, '5 0 4.6 4 0 10 / 4.8 3.5 10 10'),
  中: strokeGlyph(10, '1 2 1 7 / 1 2 9 2 9 7 / 1 6.6 9 6.6 / 5 0 5 10'),
  国: makeGlyph(
    10,
    ...parseStrokes('0 0 0 10 / 0 0 10 0 10 10 / 0 9.7 10 9.7 / 2.5 2.6 7.5 2.6'),
    ...parseStrokes('2.8 5 7.2 5 / 2 7.6 8 7.6 / 5 2.6 5 7.6 / 6.4 5.8 7.2 7'),
  ),
  日: strokeGlyph(8, '0 0 0 10 / 0 0 8 0 8 10 / 0 4.8 8 4.8 / 0 9.6 8 9.6'),
  本: strokeGlyph(10, '0 3 10 3 / 5 0 5 10 / 4.8 3 0 8.5 / 5.2 3 10 8.5 / 3 7.6 7 7.6'),
  山: strokeGlyph(10, '5 0 5 9.6 / 0 4 0 9.6 10 9.6 / 10 4 10 10'),
  上: strokeGlyph(10, '4.6 0 4.6 9.6 / 4.6 4.4 8.6 4.4 / 0 9.6 10 9.6'),
  下: strokeGlyph(10, '0 0.6 10 0.6 / 4.6 0.6 4.6 10 / 4.8 3.6 8.4 6'),
  工: strokeGlyph(10, '1 1 9 1 / 5 1 5 9 / 0 9 10 9'),
  王: strokeGlyph(10, '0.6 0.6 9.4 0.6 / 1 5 9 5 / 0 9.6 10 9.6 / 5 0.6 5 9.6'),
  田: strokeGlyph(10, '0 0 0 10 / 0 0 10 0 10 10 / 0 4.9 10 4.9 / 5 0 5 9.6 / 0 9.6 10 9.6'),
  木: strokeGlyph(10, '0 3 10 3 / 5 0 5 10 / 4.8 3 0 9 / 5.2 3 10 9'),
};
