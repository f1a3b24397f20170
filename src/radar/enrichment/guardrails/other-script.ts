// Compares a name with the source's other script: Ningbo for 宁波, 卑尔根 for Bergen, Nature Energy
// for 自然·能源. Names match by sound or by literal meaning.

export type OtherScript = {
  /** Consecutive Latin words as one name: by the sound of the syllables, or by meaning. */
  isHanIn(words: readonly string[], text: string): boolean;
  /** Whether a word in ideographs means one of these words. */
  hasMeaning(han: string, words: ReadonlySet<string>): boolean;
  /** A Chinese person's name in Latin spelling, in either order; `text` is folded. */
  hasLatinSpelling(han: string, text: string): boolean;
  /** Whether the ideographs sound like one of the Latin names. */
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

/** Consonants that transliteration does not distinguish. */
const classes: readonly (readonly [RegExp, string])[] = [
  [/zh|ch|sh|th|[szxjc](?=[eiy])|[szxj]/gu, 's'],
  [/ph|wh|[fvwh]/gu, 'f'],
  [/[bp]/gu, 'b'],
  [/[dt]/gu, 't'],
  [/[gkcq]/gu, 'k'],
  [/[lr]/gu, 'l'],
  [/[mn]+g?/gu, 'n'],
];
const minSounds = 3;

export function openOtherScript({ words, sounds }: Glosses): OtherScript {
  const syllables = new Map<string, string[]>();
  for (const [syllable, characters] of Object.entries(sounds)) {
    const pronunciation = syllable.replace('v', 'u');
    for (const character of characters) {
      syllables.set(character, [...(syllables.get(character) ?? []), pronunciation]);
    }
  }
  const stems = new Map<string, string[]>();
  for (const [stem, list] of Object.entries(words)) {
    for (const word of list.split(' ')) stems.set(word, [...(stems.get(word) ?? []), stem]);
  }
  const means = (word: string, text: string): boolean =>
    stemsOf(word).some((stem) =>
      (words[stem] ?? '').split(' ').some((han) => han !== '' && text.includes(han)),
    );
  const syllablesOf = (han: string) => [...han].map((char) => syllables.get(char) ?? ['']);
  const hasSameSound = (name: string, text: string): boolean =>
    [...text.matchAll(/\p{sc=Han}{2,}/gu)].some(([run]) => isSpoken(syllablesOf(run), name));
  return {
    words: new Set(Object.values(words).flatMap((list) => list.split(' '))),
    isHanIn: (name, text) => {
      const lower = name.map((word) => word.toLowerCase());
      const joined = [lower.join(''), [...lower].reverse().join('')];
      if (joined.some((wanted) => wanted.length >= 4 && hasSameSound(wanted, text))) return true;
      return lower.every(
        (word) => means(word, text) || (word.length >= 5 && hasSameSound(word, text)),
      );
    },
    hasMeaning: (han, others) =>
      (stems.get(han) ?? []).some((stem) => {
        return stem.length >= 4 && [...others].some((word) => word.startsWith(stem));
      }),
    hasLatinSpelling: (han, text) => {
      if (han.length < 2 || han.length > 3) return false;
      const [family = [], ...givenNames] = syllablesOf(han);
      return family.some((first) =>
        joinedOf(givenNames).some((givenName) =>
          [`${first} ${givenName}`, `${givenName} ${first}`, `${first}${givenName}`].some(
            (name) => name.length >= 4 && new RegExp(`(?<![a-z])${name}(?![a-z])`, 'u').test(text),
          ),
        ),
      );
    },
    hasSameSound: (han, names) => {
      const first = syllablesOf(han).map(([syllable = '']) => syllable.replace(/^er$/u, 'r'));
      const firstSkeleton = skeleton(first.join(''));
      if (firstSkeleton.length < minSounds) return false;
      return names.some((name) => {
        const other = skeleton(name.toLowerCase());
        const maxDistance = Math.min(firstSkeleton.length, other.length) >= 5 ? 1 : 0;
        return (
          other.length >= minSounds &&
          firstSkeleton[0] === other[0] &&
          distance(firstSkeleton, other) <= maxDistance
        );
      });
    },
  };
}

/** All readings of consecutive syllables. */
function joinedOf(syllables: readonly (readonly string[])[]): readonly string[] {
  return syllables.reduce<readonly string[]>(
    (all, syllables) => all.flatMap((prefix) => syllables.map((more) => `${prefix}${more}`)),
    [''],
  );
}

/** Simple stems, like the keys of the table. */
function stemsOf(word: string): readonly string[] {
  const stem = word.replace(/(?:'s|ies|es|s|ed|ing|e|y|al)$/u, '');
  return [word, stem, word.replace(/s$/u, ''), word.replace(/e$/u, '')];
}

/**
 * Whether two to five consecutive syllables spell the word. Some characters have several readings.
 */
function isSpoken(pronunciations: readonly (readonly string[])[], name: string): boolean {
  const continuesName = (at: number, prefix: string, count: number): boolean => {
    if (prefix === name) return count > 1;
    if (count === 5 || !name.startsWith(prefix)) return false;
    return (pronunciations[at] ?? []).some((syllable) => {
      return syllable !== '' && continuesName(at + 1, prefix + syllable, count + 1);
    });
  };
  return pronunciations.some((_, from) => continuesName(from, '', 0));
}

/** Consonant classes; equal neighbours are merged. */
function skeleton(word: string): string {
  let out = word.normalize('NFD').replace(/\p{M}/gu, '');
  for (const [pattern, letter] of classes) out = out.replace(pattern, letter.toUpperCase());
  return out.replace(/[^A-Z]/gu, '').replace(/(.)\1+/gu, '$1');
}

/** Edit distance in letters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
