// Colours of the design: sufficient contrast of text everywhere, WCAG 2.2 AA, in light and dark
// mode.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/kernel/html/assets/page.css', 'utf8');
const tokens = [...css.matchAll(/--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
const themes = [2, 3].map((group) =>
  Object.fromEntries(tokens.map((token) => [token[1], token[group]])),
);

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [darkValue = 0, lightValue = 0] = [luminance(first), luminance(second)].sort(
    (left, right) => left - right,
  );
  return (lightValue + 0.05) / (darkValue + 0.05);
}

test('black on white has a contrast of 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
});

test.each([
  ['light', 0],
  ['dark', 1],
])('text has sufficient contrast in %s mode', (_name, themeIndex) => {
  const theme = themes[themeIndex] ?? {};
  const lowContrast = ['paper', 'raised'].flatMap((ground) =>
    [
      ...['ink', 'muted', 'accent', 'positive', 'warning', 'negative'].map((name) => [name, 4.5]),
      // WCAG requires only 3 for large numerals and borders of fields.
      ['faint', 3],
    ].filter(([name, minContrast]) => {
      const colour = theme[String(name)] ?? '#000000';
      return contrast(colour, theme[ground] ?? '#000000') < Number(minContrast);
    }),
  );
  expect([Object.keys(theme).length, lowContrast]).toEqual([10, []]);
});
