// Measures of text: how many words, whether it ends as a sentence, what is left of it elsewhere.

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const wordRuns = /[\p{L}\p{N}]+/gu;

/** Words; two characters of Chinese or Japanese count as one, about what a word is there. */
export function wordCount(text: string): number {
  const characters = text.match(cjk)?.length ?? 0;
  const others = characters === 0 ? text : text.replace(cjk, ' ');
  return Math.ceil(characters / 2) + (others.match(wordRuns)?.length ?? 0);
}

/** Whether the text ends as a sentence does. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？；:：]["'”’」』)）\]]*\s*$/u.test(text);
}

/** Letters and digits only, lower case: what survives every extractor's rewriting. */
export function essence(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
