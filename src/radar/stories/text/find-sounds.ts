// How names sound that are written in ideographs: "朱浮光" is told in English as "Zhu Fuguang".
// Only what no dictionary has as a word is read so, since every two characters have a sound.

export type Sounds = {
  /** Sounds of two or three ideographs in a row that are no words, in folded text. */
  ofHan(text: string): readonly string[];
  /** Names in the Latin alphabet, case kept, that could be such sounds. */
  ofLatin(text: string): readonly string[];
};

const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[a-z]{1,17}(?![\p{L}\p{N}])/gu;
const runs = /\p{sc=Han}{2,}/gu;
const mostSounds = 24;

/** `table`: syllables and the characters that are read so. */
export function openSounds(
  table: Readonly<Record<string, string>>,
  isHanWord: (han: string) => boolean,
): Sounds {
  const syllables = new Map<string, string>();
  for (const [syllable, characters] of Object.entries(table)) {
    for (const character of characters) syllables.set(character, syllable.replace('v', 'u'));
  }
  const known = new Set(syllables.values());
  /** How many syllables make up a word; 0 when it is not made of them. */
  const syllablesIn = (word: string): number => {
    const best = new Int8Array(word.length + 1).fill(-1);
    best[0] = 0;
    for (let to = 1; to <= word.length; to += 1) {
      for (let from = Math.max(0, to - 6); from < to; from += 1) {
        const before = best[from] ?? -1;
        if (before < 0 || !known.has(word.slice(from, to))) continue;
        if ((best[to] ?? -1) < 0 || before + 1 < (best[to] ?? 0)) best[to] = before + 1;
      }
    }
    return Math.max(0, best[word.length] ?? 0);
  };
  return {
    ofHan(text) {
      const found = new Set<string>();
      for (const [run] of text.matchAll(runs)) {
        readRun(run, found);
        if (found.size >= mostSounds * 2) break;
      }
      return [...found].slice(0, mostSounds * 2);
    },
    ofLatin(text) {
      const found = new Set<string>();
      let last = { word: '', count: 0, end: -1 };
      for (const { 0: name, index } of text.matchAll(capitalised)) {
        const word = name.toLowerCase();
        const count = syllablesIn(word);
        if (count === 2 || count === 3) found.add(word);
        const both = last.count + count;
        const isNext = last.end + 1 === index && last.count > 0 && count > 0;
        if (isNext && both <= 3) found.add(last.word + word);
        last = { word, count, end: index + name.length };
      }
      return [...found].slice(0, mostSounds);
    },
  };

  function readRun(run: string, found: Set<string>): void {
    const soundAt = (at: number) => syllables.get(run.charAt(at)) ?? '';
    const isWordAt = (at: number) => at + 2 <= run.length && isHanWord(run.slice(at, at + 2));
    let [sound, next, isWord] = [soundAt(0), soundAt(1), isWordAt(0)];
    for (let at = 0; at + 2 <= run.length; at += 1) {
      const [third, isNextWord] = [soundAt(at + 2), isWordAt(at + 1)];
      if (!isWord && sound !== '' && next !== '') {
        found.add(sound + next);
        if (third !== '' && !isNextWord) found.add(sound + next + third);
      }
      [sound, next, isWord] = [next, third, isNextWord];
    }
  }
}
