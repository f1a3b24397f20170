// Which declarations of a style attribute may stay: known properties with plain values. Nothing
// that fetches, moves text over other text or computes.

const properties = new Set(
  `background-color border-collapse border-color clear color cursor direction display float font
  font-family font-size font-style font-variant font-weight height letter-spacing line-height
  overflow text-align text-decoration text-indent unicode-bidi vertical-align white-space width
  border-bottom-color border-left-color border-right-color border-top-color azimuth elevation pause
  pause-after pause-before pitch pitch-range richness speak speak-header speak-numeral
  speak-punctuation speech-rate stress voice-family volume`.split(/\s+/),
);
const boxes = /^(?:background|border|margin|padding)(?:-[a-z-]+)?$/;
const plainValue = /^(?:[\w\s#%.,!'"+-]|rgba?\([\d\s.,%]*\))*$/i;

/** The declarations that stay, in one spelling; null when none does. */
export function safeStyle(style: string): string | null {
  const kept = style
    .slice(0, 2_000)
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(colon, 0)).trim();
      const value = declaration.slice(colon + 1).trim();
      const name = property.toLowerCase();
      const isKnown = properties.has(name) || boxes.test(name);
      return isKnown && value !== '' && plainValue.test(value) ? [`${property}: ${value};`] : [];
    });
  return kept.length === 0 ? null : kept.join(' ');
}
