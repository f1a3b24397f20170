// Splits text into units, in order: stems of alphabetic words, figures, and Chinese words.

export type WordUnit = {
  /** Folded; alphabetic words as stems. */
  readonly text: string;
  readonly kind: 'word' | 'figure' | 'han';
  /** The original spelling, for words that must not be stemmed. */
  readonly raw: string;
  /** Position of its first character. */
  readonly at: number;
};

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const hanRuns = /\p{sc=Han}+/gu;
const pieces = new RegExp(
  [
    String.raw`(?<han>\p{sc=Han}+)`,
    String.raw`(?<figure>[$€£¥]?\d[\d,]*(?:\.\d+)*(?:%|[a-z]{0,3}(?![\p{L}\p{N}]))?)`,
    String.raw`(?<word>(?!\p{sc=Han})[\p{L}\p{M}]` +
      String.raw`(?:(?!\p{sc=Han})[\p{L}\p{M}\p{N}]|[.'&](?=\p{L})|\.(?=\d))*)`,
  ].join('|'),
  'gu',
);

/** `text` is folded. `stem` is applied to alphabetic words. */
export function splitWords(text: string, stem: (word: string) => string): readonly WordUnit[] {
  const units: WordUnit[] = [];
  const words = hanWords(text);
  for (const { groups, index: at } of text.matchAll(pieces)) {
    if (groups?.han !== undefined) {
      for (let from = 0; from < groups.han.length; ) {
        const word = words.next().value;
        if (word === undefined) break;
        if (word === '\n') continue;
        units.push({ text: word, kind: 'han', raw: word, at: at + from });
        from += word.length;
      }
    } else if (groups?.figure !== undefined) {
      units.push({ text: groups.figure, kind: 'figure', raw: groups.figure, at });
    } else if (groups?.word !== undefined) {
      const raw = groups.word.replace(/'s$|'$/u, '').replace(/\.(?=\p{L}(?:\.|$))/gu, '');
      units.push({ text: stem(raw), kind: 'word', raw, at });
    }
  }
  return units;
}

/**
 * Words of ideographs in order, with a line end between two runs. All runs are segmented in one
 * call, since a call costs as much as several words. No word crosses a line end.
 */
function* hanWords(text: string): Generator<string, undefined> {
  const runs = text.match(hanRuns);
  if (runs === null) return;
  for (const { segment } of segmenter.segment(runs.join('\n'))) yield segment;
}
