// Converts a title in capitals to sentence case, with proper names in their own spelling. In other
// titles it lowers single words in capitals.

/** Opens a function that lowers capitals in a title. */
export function openCapitalsLowerer(
  capitalsToLower: readonly string[],
  names: readonly string[],
): (title: string) => string {
  const capitalWords = new Set(capitalsToLower);
  const spelling = new Map(
    names.filter((name) => !name.includes(' ')).map((name) => [name.toLowerCase(), name] as const),
  );
  return (title) =>
    isAllCapitals(title) ? toSentenceCase(title, spelling) : lowerWords(title, capitalWords);
}

/** True for at least three words in capitals, and nearly no other letters. */
function isAllCapitals(title: string): boolean {
  const upperCaseCount = title.match(/\p{Lu}/gu)?.length ?? 0;
  const letterCount = title.match(/\p{L}/gu)?.length ?? 0;
  const words = title.match(/\p{Lu}{2,}/gu)?.length ?? 0;
  // Ideographs count as other letters: 智谱 GLM API AA is a Chinese title with abbreviations.
  return words >= 3 && upperCaseCount > 0.9 * letterCount;
}

function toSentenceCase(title: string, spelling: ReadonlyMap<string, string>): string {
  let isNextFirst = true;
  return title.replace(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu, (word) => {
    const lowerCaseWord = word.toLowerCase();
    const knownSpelling =
      spelling.get(lowerCaseWord) ?? spelling.get(lowerCaseWord.replace(/['’]s$/u, ''));
    const isFirst = isNextFirst;
    isNextFirst = false;
    if (knownSpelling !== undefined)
      return knownSpelling + lowerCaseWord.slice(knownSpelling.length);
    // A word with a figure is a version or part number; "U.S." is an abbreviation.
    if (/\p{N}/u.test(word) || /^(?:\p{Lu}\.)+\p{Lu}?$/u.test(word)) return word;
    return isFirst
      ? lowerCaseWord.slice(0, 1).toUpperCase() + lowerCaseWord.slice(1)
      : lowerCaseWord;
  });
}

function lowerWords(title: string, capitalWords: ReadonlySet<string>): string {
  return title.replace(/(?<![\p{L}\p{N}-])\p{Lu}{2,}(?![\p{L}\p{N}-])/gu, (word, at: number) => {
    if (!capitalWords.has(word)) return word;
    const lowerCaseWord = word.toLowerCase();
    return at === 0 ? word.slice(0, 1) + lowerCaseWord.slice(1) : lowerCaseWord;
  });
}
