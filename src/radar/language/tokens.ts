// Splits a text into content tokens for overlap measures: stemmed words and pairs of ideographs,
// without stopwords.

export type Tokenizer = (text: string) => ReadonlySet<string>;

export function openTokenizer(stopwords: readonly string[]): Tokenizer {
  const commonWords = new Set(stopwords);
  return (text) => {
    // "$31m" and "$31 million" share a token.
    const folded = text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/(?<=\d)(?:m|mn|bn|tn)\b/gu, '');
    const words =
      folded.match(/(?:(?!\p{sc=Han})[\p{L}\p{M}\p{N}]|(?<=\p{N})\.(?=\p{N}))+/gu) ?? [];
    const hanRuns = folded.match(/\p{sc=Han}+/gu) ?? [];
    const pairs = hanRuns.flatMap((run) => {
      const distinctiveCharacters = [...run].filter((char) => !commonWords.has(char));
      return distinctiveCharacters
        .slice(1)
        .map((char, index) => `${distinctiveCharacters[index]}${char}`);
    });
    return new Set([...words.filter((word) => !commonWords.has(word)).map(stem), ...pairs]);
  };
}

/** A rough stemmer: "launches" matches "launched". */
function stem(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/u.test(word)) return word;
  return word.replace(/(?:ing|ed|es|s|e)$/u, '');
}

/** Share of `part` that is also in `whole`, from 0 to 1. */
export function sharedShare(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0;
  let sharedCount = 0;
  for (const token of part) if (whole.has(token)) sharedCount += 1;
  return sharedCount / part.size;
}

/** Cosine of two sets as vectors of ones, from 0 to 1. */
export function cosine(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  return a.intersection(b).size / Math.sqrt(a.size * b.size);
}
