// Compiles phrases and patterns into one test. Latin phrases match whole words in any case.
// Ideographs have no word boundaries and match anywhere.

export type PhraseRules = {
  readonly en?: readonly string[] | undefined;
  readonly zh?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
};

/** Whether the text (already folded by `foldForMatching`) contains any of the rules' phrases. */
export function openMatcher(rules: PhraseRules): (text: string) => boolean {
  const sources = [
    ...words(rules.en ?? []),
    ...(rules.zh ?? []).map((phrase) => escapeRegExp(foldForMatching(phrase))),
    ...(rules.patterns ?? []).map((pattern) => `(?:${pattern})`),
  ];
  if (sources.length === 0) return () => false;
  const test = new RegExp(sources.join('|'), 'iu');
  return (text) => test.test(text);
}

/** The number of different phrases in the text, up to `max`. */
export function openCounter(phrases: readonly string[], max: number): (text: string) => number {
  const latin = phrases.filter((p) => !/\p{sc=Han}/u.test(p));
  const han = phrases.filter((p) => /\p{sc=Han}/u.test(p)).map(escapeRegExp);
  // Longest first: "Google DeepMind" is one name.
  const longest = [...latin].sort((a, b) => b.length - a.length);
  const test = new RegExp([...words(longest), ...han].join('|'), 'gu');
  return (text) => {
    const found = new Set<string>();
    for (const match of text.matchAll(test)) {
      found.add(match[0]);
      if (found.size >= max) break;
    }
    return found.size;
  };
}

/** Normalises quotation marks, dashes, widths and white space. */
export function foldForMatching(text: string): string {
  return text.normalize('NFKC').replace(/[’‘ʼ]/gu, "'").replace(/\s+/gu, ' ').trim();
}

function words(phrases: readonly string[]): readonly string[] {
  if (phrases.length === 0) return [];
  const alternatives = phrases.map((phrase) => {
    const isOpen = phrase.endsWith('*');
    const source = escapeRegExp(isOpen ? phrase.slice(0, -1) : phrase).replace(/ /gu, '\\s+');
    return isOpen ? `${source}\\p{L}*` : source;
  });
  return [`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`];
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
