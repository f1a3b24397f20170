// Classifies characters for search: part of a word, sign of a script without spaces (Han, Kana,
// Hangul), white space, or symbol.

export const space = 0;
export const word = 1;
export const sign = 2;
export const symbol = 3;
export type CharacterClass = typeof space | typeof word | typeof sign | typeof symbol;

// Script extensions include ー and 々. Only letters, numbers and marks count, so 、 does not.
const signs = /[[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]]/v;
// A mark belongs to the letter before it. A mark that only styles a symbol (⚡ + U+FE0F, keycaps) is
// not part of a word, so a word can start after "⚡️".
const words = /[[\p{L}\p{N}\p{M}]--[\p{Variation_Selector}\p{Me}]]/v;
const spaces = /\p{White_Space}/u;

function classify(codePoint: number): CharacterClass {
  const text = String.fromCodePoint(codePoint);
  if (signs.test(text)) return sign;
  if (words.test(text)) return word;
  return spaces.test(text) ? space : symbol;
}

const basicPlaneClasses = Uint8Array.from({ length: 0x10000 }, (_, unit) => classify(unit));

/** The class of a code point. */
export function classOf(codePoint: number): CharacterClass {
  if (codePoint > 0xffff) return classify(codePoint);
  return basicPlaneClasses[codePoint] as CharacterClass;
}

/**
 * True when a word may start at `index`: at the beginning of the text, or after a character that is
 * not part of a word.
 */
export function isWordStart(text: string, index: number): boolean {
  if (index === 0) return true;
  const before = text.charCodeAt(index - 1);
  const isLowSurrogate = before >= 0xdc00 && before <= 0xdfff;
  const codePoint = isLowSurrogate && index > 1 ? (text.codePointAt(index - 2) ?? 0) : before;
  return classOf(codePoint) !== word;
}

export function hasSign(text: string): boolean {
  return signs.test(text);
}
