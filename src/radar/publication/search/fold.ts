// Folds text for comparison: NFKC, then Unicode's full case folding.

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const asciiText = /^[\x00-\x7f]*$/;
// Ranges of lower-case letters that folding changes. Han and punctuation do not change.
const foldableRanges = /[\u00b5\u00df\u0130-\u1fff\ua640-\uabff\ufb00-\ufb17\u{10000}-\u{1ffff}]/u;
const changesWhenFolded = /\p{Changes_When_Casefolded}/gu;

/**
 * Case-folds text. JavaScript has no case folding. Lower-case letters that folding would change
 * (ß, final ς) are therefore changed to upper case and back; they become ss and σ. As in Unicode's
 * table, İ becomes i with a dot above, and ı is unchanged.
 */
export function foldText(text: string): string {
  if (asciiText.test(text)) return text.toLowerCase();
  const lowerCaseText = text.normalize('NFKC').toLowerCase();
  if (!foldableRanges.test(lowerCaseText)) return lowerCaseText;
  return lowerCaseText.replace(changesWhenFolded, (letter) => letter.toUpperCase().toLowerCase());
}
