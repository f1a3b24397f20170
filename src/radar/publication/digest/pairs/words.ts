// The words of a sentence as they are compared: English ones without endings and without those that
// say little, Chinese as pairs of characters.

export type Word = { readonly word: string; readonly start: number; readonly end: number };

const little = new Set(
  `a an the of in on at to from by for with and or but as is are was were be been being has have had
  having do does did will would can could may might must shall should it its they them their this
  that these those he she his her we our you your i not no than then so such who whom which what
  when where while there here also just only more most very about after before over under up out off
  into per each every said says say according told some any all one two new company firm chief
  executive boss`.split(/\s+/u),
);

/** Plural, tense and possessive off a lower-case English word. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  let out = word;
  if (out.length > 4 && out.endsWith('ies')) out = `${out.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/u.test(out)) out = out.slice(0, -2);
  else if (/[^sui]s$/u.test(out)) out = out.slice(0, -1);
  if (out.length > 5 && /[aeiouy].*ing$/u.test(out)) out = single(out.slice(0, -3));
  else if (out.length > 4 && out.endsWith('ied')) out = `${out.slice(0, -3)}y`;
  else if (out.length > 4 && /[aeiouy].*ed$/u.test(out)) out = single(out.slice(0, -2));
  return out.length > 3 && out.endsWith('e') ? out.slice(0, -1) : out;
}

const single = (word: string) => (/([bdgmnprt])\1$/u.test(word) ? word.slice(0, -1) : word);

/** `text` is folded and in lower case. */
export function wordsOf(text: string): readonly Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(/[a-z']+|\p{sc=Han}+/gu)) {
    if (/^[a-z']/u.test(match[0])) {
      const word = match[0].replace(/^'+|'s?$/gu, '');
      if (word.length < 2 || little.has(word)) continue;
      const end = match.index + match[0].length;
      found.push({ word: stemOf(word), start: match.index, end });
      continue;
    }
    const characters = [...match[0]];
    for (const [at, char] of characters.entries()) {
      const word = `${char}${characters[at + 1] ?? ''}`;
      if (at + 1 === characters.length || /[的了在是为和与将已达约共有被个]/u.test(word)) continue;
      found.push({ word, start: match.index + at, end: match.index + at + 2 });
    }
  }
  return found;
}

/** Whether a sentence is read as Chinese; it may hold Latin names. */
export function isChinese(text: string): boolean {
  const han = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  return han > 1 && han > 1.5 * (text.match(/[a-z]+/giu)?.length ?? 0);
}
