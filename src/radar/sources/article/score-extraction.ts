// Measures the quality of extracted texts: precision and recall over shingles of four words,
// averaged over pages. The method is that of Zyte's public article extraction benchmark.

const SHINGLE_WORDS = 4;
export type Score = { readonly precision: number; readonly recall: number; readonly f1: number };

export type Extraction = { readonly expected: string; readonly actual: string };

/** Averages over pages, then F1 of the averages. */
export function scoreExtractions(pages: readonly Extraction[]): Score {
  const pageScores = pages.map(scorePage);
  const precision = mean(
    pageScores.map((score) => score.precision).filter((value) => value !== null),
  );
  const recall = mean(pageScores.map((score) => score.recall).filter((value) => value !== null));
  return { precision, recall, f1: harmonicMean(precision, recall) };
}

/** Null where undefined: precision without words, recall without expected words. */
export type PageScore = { readonly precision: number | null; readonly recall: number | null };

export function scorePage({ expected, actual }: Extraction): PageScore {
  const expectedShingles = countShingles(expected);
  const actualShingles = countShingles(actual);
  let commonCount = 0;
  for (const [shingle, count] of actualShingles)
    commonCount += Math.min(count, expectedShingles.get(shingle) ?? 0);
  const totalOf = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  return {
    precision: actualShingles.size === 0 ? null : commonCount / totalOf(actualShingles),
    recall: expectedShingles.size === 0 ? null : commonCount / totalOf(expectedShingles),
  };
}

function countShingles(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  if (words.length === 0) return counts;
  const shingleCount = Math.max(1, words.length - SHINGLE_WORDS + 1);
  for (let index = 0; index < shingleCount; index++) {
    const shingle = words.slice(index, index + SHINGLE_WORDS).join(' ');
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}
