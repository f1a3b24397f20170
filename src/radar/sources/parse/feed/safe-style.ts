// Which declarations of a style attribute may stay: known properties with plain values. Nothing
// that fetches, moves text over other text or computes; one suspicious character and all of it
// goes.

import { isUnseenStyle } from '../../../../kernel/text/text.ts';

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const properties = list(`
  azimuth background-color border-bottom-color border-collapse border-color border-left-color
  border-right-color border-top-color clear color cursor direction display elevation float font
  font-family font-size font-style font-variant font-weight height letter-spacing line-height
  overflow pause pause-after pause-before pitch pitch-range richness speak speak-header
  speak-numeral speak-punctuation speech-rate stress text-align text-decoration text-indent
  unicode-bidi vertical-align voice-family volume white-space width`);
/** Their longhands are too many to list; their values are listed instead. */
const boxes = /^(?:background|border|margin|padding)(?:-[a-z-]+)?$/;
const keywords = list(`
  !important aqua auto black block blue bold both bottom brown center collapse dashed dotted fuchsia
  gray green italic left lime maroon medium navy none normal nowrap olive orange pointer purple red
  right silver solid teal top transparent underline white yellow`);
const colour = /^(?:#[0-9a-f]{3,8}|rgb\(\d+%?,\d*%?,?\d*%?\))$/i;
const measure = /^\d{0,4}\.?\d{0,3}(?:cm|em|ex|rem|in|mm|pc|pt|px|%)?$/i;

/** The declarations that stay, in one spelling; null when none does. */
export function safeStyle(source: string): string | null {
  // Invisible content stays invisible, whichever property hides it.
  if (isUnseenStyle(source)) return 'display: none;';
  const style = source.slice(0, 2_000).replace(/url\s*\([^)]*\)?/gi, ' ');
  if (!isPlain(style)) return null;
  const kept = style.split(';').flatMap((declaration) => {
    const [property = '', value = '', ...rest] = declaration.split(':').map((part) => part.trim());
    const name = property.toLowerCase();
    const isKnown = properties.has(name) || (boxes.test(name) && hasListedValues(value));
    return isKnown && value !== '' && rest.length === 0 ? [`${property}: ${value};`] : [];
  });
  return kept.length === 0 ? null : kept.join(' ');
}

function hasListedValues(value: string): boolean {
  return value
    .split(/\s+/)
    .every((word) => keywords.has(word.toLowerCase()) || colour.test(word) || measure.test(word));
}

/** Words, numbers, quoted words and numbers in parentheses. */
function isPlain(style: string): boolean {
  const bare = style.replace(/'[\s\w]*'|"[\s\w]*"|\([\d,%.\s]*\)/g, ' ');
  return /^[\s\w:,;#%.!-]*$/.test(bare) && !/\\|--/.test(bare);
}
