// Compiles phrases and patterns into one test. Latin phrases match whole words, in upper and lower
// case.
// Ideographs have no word boundaries and match anywhere.

export type PhraseRules = {
  readonly en?: readonly string[] | undefined;
  readonly zh?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
};

/** Opens a test of a text in the form of `foldForMatching`: true when a rule matches. */
export function openMatcher(rules: PhraseRules): (text: string) => boolean {
  const sources = [
    ...wordPatterns(rules.en ?? []),
    ...(rules.zh ?? []).map((phrase) => escapeRegExp(foldForMatching(phrase))),
    ...(rules.patterns ?? []).map((pattern) => `(?:${pattern})`),
  ];
  if (sources.length === 0) return () => false;
  const pattern = new RegExp(sources.join('|'), 'iu');
  return (text) => pattern.test(text);
}

/** Opens a function that counts the different phrases in a text, up to `max`. */
export function openPhraseCounter(
  phrases: readonly string[],
  max: number,
): (text: string) => number {
  const latinPhrases = phrases.filter((phrase) => !/\p{sc=Han}/u.test(phrase));
  const hanPhrases = phrases.filter((phrase) => /\p{sc=Han}/u.test(phrase)).map(escapeRegExp);
  // Longest first: "Google DeepMind" is one name.
  const longestFirst = [...latinPhrases].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...wordPatterns(longestFirst), ...hanPhrases].join('|'), 'gu');
  return (text) => {
    const foundPhrases = new Set<string>();
    for (const match of text.matchAll(pattern)) {
      foundPhrases.add(match[0]);
      if (foundPhrases.size >= max) break;
    }
    return foundPhrases.size;
  };
}

/** Normalises apostrophes, character widths and white space. */
export function foldForMatching(text: string): string {
  return text.normalize('NFKC').replace(/[’‘ʼ]/gu, "'").replace(/\s+/gu, ' ').trim();
}

function wordPatterns(phrases: readonly string[]): readonly string[] {
  if (phrases.length === 0) return [];
  const alternatives = phrases.map((phrase) => {
    const hasAnyEnding = phrase.endsWith('*');
    const source = escapeRegExp(hasAnyEnding ? phrase.slice(0, -1) : phrase).replace(/ /gu, '\\s+');
    return hasAnyEnding ? `${source}\\p{L}*` : source;
  });
  return [`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`];
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
