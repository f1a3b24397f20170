// Extracts the grams of a text for the search signature. Grams are the beginnings of words; single
// signs and symbols; pairs of neighbours that are not both letters; and words with a following
// symbol. Every gram of a query occurs in each matching text; `match.ts` verifies candidates.
import { classOf, space, symbol, word } from './characters.ts';

/** The number of rows in the signature. */
export const ROW_COUNT = 4096;

// A gram of 24 bits selects two rows, because different grams rarely share both rows.
export const firstRowOf = (gram: number): number => gram & (ROW_COUNT - 1);
export const secondRowOf = (gram: number): number => gram >>> 12;

// All prefixes up to this length, then every fourth. Long words are rare, but some, such as a
// company's name, are frequent and need longer prefixes.
const ALL_PREFIXES_LENGTH = 12;

// Above every code point.
const START_MARK = 1 << 24;

// The maximum number of grams that one character adds. A sign after a word, for example, adds
// itself, the word with the sign, and the pair of neighbours.
const GRAMS_PER_CHARACTER = 3;
let gramBuffer = new Uint32Array(4096);

/** `stored`: all grams of an item's text. `wanted`: only the grams that a query needs. */
export type GramUse = 'stored' | 'wanted';

/**
 * Returns the grams of folded `text`, with repetitions. The next call overwrites the result.
 * `startsWord` is false for a part that may begin inside a word. Of the beginnings of a wanted word
 * only the two longest are returned: a text that contains these also contains the shorter ones.
 */
export function findGrams(text: string, use: GramUse, startsWord: boolean): Uint32Array {
  const capacity = text.length * GRAMS_PER_CHARACTER;
  if (gramBuffer.length < capacity) gramBuffer = new Uint32Array(capacity * 2);
  const grams = gramBuffer;
  let count = 0;
  let previousClass = -1;
  let previous = 0;
  // Hash and length of the current word.
  let wordHash = 0;
  let wordLength = 0;
  let wordFrom = 0;
  let isWholeWord = true;
  for (let index = 0; index < text.length; index++) {
    let current = text.charCodeAt(index);
    // The first half of a surrogate pair.
    if (current >= 0xd800 && current <= 0xdbff) {
      current = text.codePointAt(index) ?? current;
      if (current > 0xffff) index++;
    }
    const currentClass = classOf(current);
    const isInWord = previousClass === word;
    if (currentClass === word) {
      if (!isInWord) {
        wordHash = 0;
        wordLength = 0;
        wordFrom = count;
        isWholeWord = startsWord || previousClass !== -1;
      }
      // The constants are those of FNV-1a and MurmurHash.
      wordHash = Math.imul(wordHash ^ current, 0x01000193) + 0x1b873593;
      wordLength++;
      const isBeginning = wordLength <= ALL_PREFIXES_LENGTH || (wordLength & 3) === 0;
      if (isWholeWord && isBeginning) {
        if (use === 'wanted' && count === wordFrom + 2) {
          count--;
          grams[count - 1] = grams[count] ?? 0;
        }
        grams[count++] = mixBits(wordHash);
      }
    } else if (currentClass !== space) {
      grams[count++] = mixBits(current);
      if (isInWord && isWholeWord) grams[count++] = mixBits(wordHash + current);
    }
    if (currentClass === symbol) {
      // Few symbols stand at the start of a word, so "'s" there is rarer than "'" and "s" alone.
      const isAtStart = previousClass === -1 ? startsWord : !isInWord;
      if (isAtStart) grams[count++] = mixBits(current ^ START_MARK);
    }
    const isPair = previousClass > space && currentClass !== space;
    if (isPair && !(isInWord && currentClass === word)) {
      // With the factor, the gram depends on the order of the pair.
      grams[count++] = mixBits(Math.imul(previous, 31337) ^ current);
    }
    previousClass = currentClass;
    previous = current;
  }
  return grams.subarray(0, count);
}

// Murmur's finalizer: every bit of the gram affects the bits of both rows.
function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0xffffff;
}
