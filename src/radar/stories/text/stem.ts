// Removes plural and tense endings of English words, so that "launches" matches "launched". It is
// not a full stemmer: wrong matches are rare and have little weight.

const vowel = /[aeiouy]/u;

/** `word` is folded. Words of other alphabets and with figures stay as they are. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  let stem = word;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/u.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !/(?:ss|us|is)$/u.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 5 && stem.endsWith('ing') && vowel.test(stem.slice(0, -3))) {
    stem = removeDoubleLetter(stem.slice(0, -3));
  } else if (stem.length > 4 && stem.endsWith('ied')) {
    stem = `${stem.slice(0, -3)}y`;
  } else if (stem.length > 4 && stem.endsWith('ed') && vowel.test(stem.slice(0, -2))) {
    stem = removeDoubleLetter(stem.slice(0, -2));
  }
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

/** "planned" leaves "plan"; "passed" and "rolled" keep their double letter. */
function removeDoubleLetter(word: string): string {
  return /([bdgmnprt])\1$/u.test(word) ? word.slice(0, -1) : word;
}

const rootLetters = 5;

/**
 * Returns the first letters of a word that is not in the table of English words. Other languages
 * have many endings ("olímpico", "olímpicas"). The root is longer when it would be an English word.
 */
export function rootOf(word: string, isEnglish: (word: string) => boolean): string {
  if (word.length <= rootLetters || isEnglish(word) || !/^\p{L}+$/u.test(word)) return word;
  let length = rootLetters;
  while (length < word.length && isEnglish(word.slice(0, length))) length += 1;
  return word.slice(0, length);
}
