// What of a text goes into the search signature: the beginnings of its words, its signs and
// symbols, and each two of them that stand side by side. Whatever a part has, each text in which
// it occurs has too; the reverse is for `match.ts` to check.
import { classOf, sign, symbol, word } from './characters.ts';

/** Kinds of grams told apart by the signature, a power of two. */
export const gramCount = 4096;

// Longer beginnings find hardly anything that these do not, and fill the signature.
const beginningMax = 6;

/** Room enough for the grams of any text of `length` code units. */
export function gramRoom(length: number): Uint16Array {
  return new Uint16Array(length * 2);
}

/**
 * Writes the grams of `text` into `out` (of `gramRoom`), with repetitions, and returns how many.
 * `startsWord` is false for a part that may begin in the middle of a word.
 */
export function writeGrams(text: string, startsWord: boolean, out: Uint16Array): number {
  let count = 0;
  let previousClass = -1;
  let previous = 0;
  let beginning = 0;
  let beginningLength = 0;
  for (let at = 0; at < text.length; at++) {
    let current = text.charCodeAt(at);
    if (current >= 0xd800 && current <= 0xdbff) {
      current = text.codePointAt(at) ?? current;
      if (current > 0xffff) at++;
    }
    const currentClass = classOf(current);
    if (currentClass === word) {
      if (previousClass !== word) {
        beginning = 0;
        beginningLength = previousClass === -1 && !startsWord ? beginningMax : 0;
      }
      if (beginningLength < beginningMax) {
        beginning = Math.imul(beginning ^ current, 0x01000193) + 0x1b873593;
        beginningLength++;
        out[count++] = mixed(beginning);
      }
    } else if (currentClass === sign || currentClass === symbol) {
      out[count++] = mixed(current);
      if (previousClass === currentClass)
        out[count++] = mixed(Math.imul(previous, 31337) ^ current);
    }
    previousClass = currentClass;
    previous = current;
  }
  return count;
}

// Murmur's finalizer: every bit of the gram reaches the twelve that are kept.
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (gramCount - 1);
}
