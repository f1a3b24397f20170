// Computes text vectors without a trained model: from hashed character n-grams and words, after a
// translation of known Chinese terms into English.
//
// Equal texts have equal vectors. Texts about the same names and words of the world are near each
// other in both languages.
import { translateToEnglish } from './own-glossary.ts';

export const dimensions = 384;

export function embedText(text: string): readonly number[] {
  const vector = new Float64Array(dimensions);
  const englishText = translateToEnglish(text.normalize('NFKC')).toLowerCase();
  const addTerm = (term: string, weight: number) => {
    const hash = hashOf(term);
    const position = hash % dimensions;
    vector[position] = (vector[position] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  };
  const counts = new Map<string, number>();
  const countTerm = (term: string, weight: number) =>
    counts.set(term, (counts.get(term) ?? 0) + weight);
  for (const word of englishText.match(/[a-z][a-z0-9-]+|\d[\d.,]*|\p{sc=Han}+/gu) ?? []) {
    if (/^\p{sc=Han}/u.test(word)) {
      for (let index = 0; index + 1 < word.length; index += 1)
        countTerm(`h${word.slice(index, index + 2)}`, 1);
      continue;
    }
    if (commonWords.has(word)) continue;
    const stem = word.replace(/(ing|ed|es|s)$/, '');
    countTerm(`w${stem}`, /^\d/.test(word) ? 1.5 : 2);
    for (let index = 0; index + 4 <= stem.length; index += 1)
      countTerm(`c${stem.slice(index, index + 4)}`, 0.4);
  }
  // The weight grows with the logarithm of the count, since repetitions add little information.
  for (const [term, weight] of counts) addTerm(term, Math.log1p(weight));
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // A text without words also has a vector, because a server always returns one.
  if (length === 0) vector[0] = 1;
  return Array.from(vector, (value) => Number((value / (length || 1)).toFixed(6)));
}

const commonWords = new Set(
  'the a an of in on at to for and or by with from as is are was were be it its that this'.split(
    ' ',
  ),
);

/** FNV-1a, 32 bits, with a finalizer. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0x5bd1e995);
  return (hash ^ (hash >>> 15)) >>> 0;
}
