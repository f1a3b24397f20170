// Measures text: counts its words and detects the end of a sentence.

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const wordRuns = /[\p{L}\p{N}]+/gu;

/** Number of words. Two Chinese or Japanese characters count as one word. */
export function wordCount(text: string): number {
  const characters = text.match(cjk)?.length ?? 0;
  const otherWords = characters === 0 ? text : text.replace(cjk, ' ');
  return Math.ceil(characters / 2) + (otherWords.match(wordRuns)?.length ?? 0);
}

/** True when the last character, apart from quotes and brackets, ends a sentence or a clause. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？；:：]["'”’」』)）\]]*\s*$/u.test(text);
}
