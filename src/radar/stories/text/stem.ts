// Removes plural, tense and possessive endings of English words, so that "launches" matches
// "launched". It is not a full stemmer: wrong matches are rare and have little weight.

const vowel = /[aeiouy]/u;

/** `word` is folded. Words of other alphabets and with figures stay as they are. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  let out = word;
  if (out.endsWith('ies') && out.length > 4) out = `${out.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/u.test(out)) out = out.slice(0, -2);
  else if (out.endsWith('s') && !/(?:ss|us|is)$/u.test(out)) out = out.slice(0, -1);
  if (out.length > 5 && out.endsWith('ing') && vowel.test(out.slice(0, -3))) {
    out = removeDoubleLetter(out.slice(0, -3));
  } else if (out.length > 4 && out.endsWith('ied')) {
    out = `${out.slice(0, -3)}y`;
  } else if (out.length > 4 && out.endsWith('ed') && vowel.test(out.slice(0, -2))) {
    out = removeDoubleLetter(out.slice(0, -2));
  }
  return out.length > 3 && out.endsWith('e') ? out.slice(0, -1) : out;
}

/** "planned" leaves "plan"; "passed" and "rolled" keep their double letter. */
function removeDoubleLetter(word: string): string {
  return /([bdgmnprt])\1$/u.test(word) ? word.slice(0, -1) : word;
}

const rootLetters = 5;

/**
 * The first letters of a word that the table of English words does not have. Other languages have
 * many endings ("olímpico", "olímpicas"). The root is longer when it would be an English word.
 */
export function rootOf(word: string, isEnglish: (word: string) => boolean): string {
  if (word.length <= rootLetters || isEnglish(word) || !/^\p{L}+$/u.test(word)) return word;
  let length = rootLetters;
  while (length < word.length && isEnglish(word.slice(0, length))) length += 1;
  return word.slice(0, length);
}
