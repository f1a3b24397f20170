// Checks whether the source has a name in the other script: Ningbo for 宁波, 卑尔根 for Bergen,
// Nature Energy for 自然·能源. Names match by sound or by literal meaning.

export type OtherScript = {
  /** True when ideographs of the text have the sound or the meaning of the Latin words. */
  isNameInHanText(words: readonly string[], text: string): boolean;
  /** True when a word in ideographs means one of these words. */
  hasMeaning(han: string, words: ReadonlySet<string>): boolean;
  /** True when the folded text has the Chinese person's name in Latin letters, in either order. */
  hasLatinSpelling(han: string, text: string): boolean;
  /** True when the ideographs sound like one of the Latin names. */
  hasSameSound(han: string, names: readonly string[]): boolean;
  /** Words of a bilingual dictionary in ideographs. */
  readonly words: ReadonlySet<string>;
};

export type Glosses = {
  /** Maps an English stem to its Chinese translations, separated by spaces. */
  readonly words: Readonly<Record<string, string>>;
  /** Maps a syllable to the characters with this reading. */
  readonly sounds: Readonly<Record<string, string>>;
};

/** Groups of consonants that transliteration does not distinguish. */
const consonantClasses: readonly (readonly [RegExp, string])[] = [
  [/zh|ch|sh|th|[szxjc](?=[eiy])|[szxj]/gu, 's'],
  [/ph|wh|[fvwh]/gu, 'f'],
  [/[bp]/gu, 'b'],
  [/[dt]/gu, 't'],
  [/[gkcq]/gu, 'k'],
  [/[lr]/gu, 'l'],
  [/[mn]+g?/gu, 'n'],
];
const CONSONANTS_MIN = 3;

export function openOtherScript({ words, sounds }: Glosses): OtherScript {
  const syllables = new Map<string, string[]>();
  for (const [syllable, characters] of Object.entries(sounds)) {
    // The table writes the vowel ü as v, and Latin spellings of names write u.
    const pronunciation = syllable.replace('v', 'u');
    for (const character of characters) {
      syllables.set(character, [...(syllables.get(character) ?? []), pronunciation]);
    }
  }
  const stems = new Map<string, string[]>();
  for (const [stem, list] of Object.entries(words)) {
    for (const word of list.split(' ')) stems.set(word, [...(stems.get(word) ?? []), stem]);
  }
  const hasTranslationIn = (word: string, text: string): boolean =>
    stemsOf(word).some((stem) =>
      (words[stem] ?? '').split(' ').some((han) => han !== '' && text.includes(han)),
    );
  const syllablesOf = (han: string) => [...han].map((char) => syllables.get(char) ?? ['']);
  const isSoundInText = (name: string, text: string): boolean =>
    [...text.matchAll(/\p{sc=Han}{2,}/gu)].some(([run]) =>
      isSpelledBySyllables(syllablesOf(run), name),
    );
  return {
    words: new Set(Object.values(words).flatMap((list) => list.split(' '))),
    isNameInHanText: (name, text) => {
      const lowerCaseWords = name.map((word) => word.toLowerCase());
      // Shorter spellings would match by chance.
      const joinedNames = [lowerCaseWords.join(''), [...lowerCaseWords].reverse().join('')];
      if (joinedNames.some((wanted) => wanted.length >= 4 && isSoundInText(wanted, text)))
        return true;
      return lowerCaseWords.every(
        (word) => hasTranslationIn(word, text) || (word.length >= 5 && isSoundInText(word, text)),
      );
    },
    hasMeaning: (han, sourceWords) =>
      (stems.get(han) ?? []).some((stem) => {
        return stem.length >= 4 && [...sourceWords].some((word) => word.startsWith(stem));
      }),
    hasLatinSpelling: (han, text) => {
      if (han.length < 2 || han.length > 3) return false;
      const [family = [], ...givenNames] = syllablesOf(han);
      return family.some((first) =>
        joinReadings(givenNames).some((givenName) =>
          [`${first} ${givenName}`, `${givenName} ${first}`, `${first}${givenName}`].some(
            (name) => name.length >= 4 && new RegExp(`(?<![a-z])${name}(?![a-z])`, 'u').test(text),
          ),
        ),
      );
    },
    hasSameSound: (han, names) => {
      const firstReadings = syllablesOf(han).map(([syllable = '']) =>
        syllable.replace(/^er$/u, 'r'),
      );
      const firstSkeleton = consonantSkeleton(firstReadings.join(''));
      if (firstSkeleton.length < CONSONANTS_MIN) return false;
      return names.some((name) => {
        const nameSkeleton = consonantSkeleton(name.toLowerCase());
        const maxDistance = Math.min(firstSkeleton.length, nameSkeleton.length) >= 5 ? 1 : 0;
        return (
          nameSkeleton.length >= CONSONANTS_MIN &&
          firstSkeleton[0] === nameSkeleton[0] &&
          editDistance(firstSkeleton, nameSkeleton) <= maxDistance
        );
      });
    },
  };
}

/** Joins the syllables in every combination of their readings. */
function joinReadings(syllables: readonly (readonly string[])[]): readonly string[] {
  return syllables.reduce<readonly string[]>(
    (all, readings) => all.flatMap((prefix) => readings.map((reading) => `${prefix}${reading}`)),
    [''],
  );
}

/** Simple stems of a word, in the form of the table's keys. */
function stemsOf(word: string): readonly string[] {
  const stem = word.replace(/(?:'s|ies|es|s|ed|ing|e|y|al)$/u, '');
  return [word, stem, word.replace(/s$/u, ''), word.replace(/e$/u, '')];
}

/**
 * True when two to five consecutive syllables spell the name. A character can have several
 * readings.
 */
function isSpelledBySyllables(
  pronunciations: readonly (readonly string[])[],
  name: string,
): boolean {
  const continuesName = (at: number, prefix: string, count: number): boolean => {
    if (prefix === name) return count > 1;
    if (count === 5 || !name.startsWith(prefix)) return false;
    return (pronunciations[at] ?? []).some((syllable) => {
      return syllable !== '' && continuesName(at + 1, prefix + syllable, count + 1);
    });
  };
  return pronunciations.some((_, from) => continuesName(from, '', 0));
}

/** Replaces consonants by their group, removes vowels, and merges equal neighbours. */
function consonantSkeleton(word: string): string {
  let letters = word.normalize('NFD').replace(/\p{M}/gu, '');
  for (const [pattern, letter] of consonantClasses)
    letters = letters.replace(pattern, letter.toUpperCase());
  return letters.replace(/[^A-Z]/gu, '').replace(/(.)\1+/gu, '$1');
}

/** Edit distance in letters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const nextRow = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      nextRow.push(Math.min(change, (row[j + 1] ?? 0) + 1, (nextRow[j] ?? 0) + 1));
    }
    row = nextRow;
  }
  return row.at(-1) ?? 0;
}
