// Folds variants of spelling before texts are compared: compatibility forms (NFKC), simplified
// characters, plain quotes and dashes, Latin letters without diacritics. The case stays.

export type FoldText = (text: string) => string;

export type CharacterTable = { readonly from: string; readonly to: string };

/**
 * `from[i]` is written `to[i]`; characters outside of the table stay. Folds everything except case,
 * because capitals identify names.
 */
export function openFold({ from, to }: CharacterTable): FoldText {
  const simplified = new Map([...from].map((char, index) => [char, to.charAt(index)]));
  // Indexed by the first UTF-16 unit of a character in the table. Most texts contain no such
  // character and are returned immediately.
  const firstUnits = new Uint8Array(1 << 16);
  for (const char of simplified.keys()) firstUnits[char.charCodeAt(0)] = 1;
  const simplify = (text: string): string => {
    for (let index = 0; index < text.length; index += 1) {
      if (firstUnits[text.charCodeAt(index)] !== 1) continue;
      return text.replace(/\p{sc=Han}/gu, (char) => simplified.get(char) ?? char);
    }
    return text;
  };
  return (text) => {
    if (ascii.test(text)) return text.replaceAll('`', "'");
    return simplify(text.normalize('NFKD').replace(latinMarks, '').normalize('NFKC'))
      .replace(/[‘’ʼ`´]/gu, "'")
      .replace(/[“”„«»「」『』]/gu, '"')
      .replace(/[‐‑‒–—―−]/gu, '-');
  };
}

/** Diacritics of Latin letters: "México" and "Mexico" are one name. */
const latinMarks = /(?<=\p{sc=Latin})\p{M}+/gu;
const ascii = /^[\t-\r -~]*$/u;

const han = /\p{sc=Han}/gu;
const letters = /\p{L}/gu;

/**
 * Detects the main script of a text, without relying on its language tag. `latin` includes every
 * other alphabet; `other`: the text has no letters.
 */
export function scriptOf(text: string): 'latin' | 'han' | 'other' {
  const ideographs = text.match(han)?.length ?? 0;
  const all = text.match(letters)?.length ?? 0;
  if (all === 0) return 'other';
  // An ideograph counts as four letters, because it carries about as much as half a word.
  if (ideographs * 4 >= all - ideographs) return ideographs > 0 ? 'han' : 'latin';
  return 'latin';
}
