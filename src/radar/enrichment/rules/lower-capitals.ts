// Converts a title in capitals to sentence case, with proper names in their own spelling. In other
// titles it lowers single words in capitals.

/** Opens a function that lowers capitals in a title. */
export function openCapitalsLowerer(
  shouts: readonly string[],
  names: readonly string[],
): (title: string) => string {
  const capitalWords = new Set(shouts);
  const spelling = new Map(
    names.filter((n) => !n.includes(' ')).map((n) => [n.toLowerCase(), n] as const),
  );
  return (title) =>
    isShouting(title) ? sentenceCase(title, spelling) : lowerWords(title, capitalWords);
}

/** At least four words in capitals, and nearly all letters with a case. */
function isShouting(title: string): boolean {
  const upper = title.match(/\p{Lu}/gu)?.length ?? 0;
  const small = title.match(/\p{Ll}/gu)?.length ?? 0;
  const words = title.match(/\p{Lu}{2,}/gu)?.length ?? 0;
  return words >= 3 && upper > 9 * small;
}

function sentenceCase(title: string, spelling: ReadonlyMap<string, string>): string {
  let isFirst = true;
  return title.replace(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu, (word) => {
    const lowered = word.toLowerCase();
    const known = spelling.get(lowered) ?? spelling.get(lowered.replace(/['’]s$/u, ''));
    const first = isFirst;
    isFirst = false;
    if (known !== undefined) return known + lowered.slice(known.length);
    // A word with a figure is a version or part number; "U.S." is an abbreviation.
    if (/\p{N}/u.test(word) || /^(?:\p{Lu}\.)+\p{Lu}?$/u.test(word)) return word;
    return first ? lowered.slice(0, 1).toUpperCase() + lowered.slice(1) : lowered;
  });
}

function lowerWords(title: string, capitalWords: ReadonlySet<string>): string {
  return title.replace(/(?<![\p{L}\p{N}-])\p{Lu}{2,}(?![\p{L}\p{N}-])/gu, (word, at: number) => {
    if (!capitalWords.has(word)) return word;
    const lowered = word.toLowerCase();
    return at === 0 ? word.slice(0, 1) + lowered.slice(1) : lowered;
  });
}
