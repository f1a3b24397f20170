// The frequency of terms in general language. The package has a table of words. The frequencies of
// pairs of ideographs, and of concepts by their English words, are derived from the table.
import { stem } from './stem.ts';

/** Words by step, separated by spaces. A word of step n has a share of 2^(−n/4). */
export type FrequencySteps = Readonly<Record<string, string>>;

export type Background = { readonly en: FrequencySteps; readonly zh: FrequencySteps };

export type TermShares = ReturnType<typeof openShares>;

const shareOf = (step: string) => 2 ** (-Number(step) / 4);

export function openShares({ en, zh }: Background) {
  const words = new Map<string, number>();
  const hanWords = new Map<string, number>();
  const pairs = new Map<string, number>();
  const characters = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, share: number) => {
    map.set(key, (map.get(key) ?? 0) + share);
  };
  for (const [step, list] of Object.entries(en)) {
    for (const word of list.split(' ')) add(words, stem(word), shareOf(step));
  }
  for (const [step, list] of Object.entries(zh)) {
    const share = shareOf(step);
    for (const word of list.split(' ')) {
      add(hanWords, word, share);
      for (let index = 0; index < word.length; index += 1) {
        add(characters, word.charAt(index), share);
        if (index > 0) add(pairs, word.slice(index - 1, index + 1), share);
      }
    }
  }
  return {
    word: (stemmed: string) => words.get(stemmed) ?? 0,
    han: (word: string) => hanWords.get(word) ?? 0,
    // Two neighbouring characters of different words: the product of their frequencies.
    pair: (two: string) =>
      (pairs.get(two) ?? 0) +
      (characters.get(two.charAt(0)) ?? 0) * (characters.get(two.charAt(1)) ?? 0),
  };
}
