// Names that no table knows: words that stand with a capital where a sentence does not ask for
// one.

const capitalised = /(?<![\p{L}\p{N}'])\p{Lu}[\p{L}\p{M}\p{N}&'-]*/gu;
const sentenceEnd = /(?:^|[.!?:;。！？：；\n\r"“])[\s"'“(]*$/u;
const mostNames = 24;

export type NameWords = {
  /** Whether a folded word is known to the background, and so no name by itself. */
  isWord(word: string): boolean;
  readonly stopwords: ReadonlySet<string>;
};

/** Folded words of names in text whose case was kept, the most often named first. */
export function findNames(words: NameWords, title: string, lead: string): readonly string[] {
  const counts = new Map<string, number>();
  const doubtful: string[] = [];
  const read = (text: string, isHeadline: boolean): void => {
    for (const { 0: found, index } of text.matchAll(capitalised)) {
      const word = found.replace(/'s$|'$/u, '').toLowerCase();
      if (word.length < 2 || words.stopwords.has(word) || calendar.has(word)) continue;
      const starts = isHeadline || sentenceEnd.test(text.slice(Math.max(0, index - 6), index));
      if (starts && words.isWord(word) && !isAcronym(found)) doubtful.push(word);
      else counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  };
  read(lead, false);
  read(title, isTitleCase(title));
  for (const word of doubtful) {
    const known = counts.get(word);
    if (known !== undefined) counts.set(word, known + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostNames)
    .map(([word]) => word);
}

const isAcronym = (word: string) => /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(word);

/** Headlines Where Most Words Have A Capital say nothing by them. */
function isTitleCase(title: string): boolean {
  const words = title.match(/\p{L}[\p{L}'-]{3,}/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals > words.length * 0.6;
}

const calendar = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday january february march april may ' +
    'june july august september october november december jan feb mar apr jun jul aug sep sept ' +
    'oct nov dec'
  ).split(' '),
);
