// What of a text goes into the search signature: the beginnings of its words, its signs and
// symbols, and each two neighbours that are not both letters. Whatever a part has, each text in
// which it occurs has too; the reverse is for `match.ts` to check.
import { classOf, sign, space, symbol, word } from './characters.ts';

/** Kinds of grams told apart by the signature, a power of two. */
export const gramCount = 4096;

// Longer beginnings find hardly anything that these do not, and fill the signature.
const beginningMax = 6;

// Beyond every code point.
const startMark = 1 << 24;

// The most that a character adds: a symbol itself, at a start, and with its neighbour.
const gramsPerUnit = 3;
let scratch = new Uint16Array(4096);

/**
 * The grams of folded `text`, some repeatedly; good until the next call. `startsWord` is false for
 * a part that may begin in the middle of a word.
 */
export function gramsIn(text: string, startsWord: boolean): Uint16Array {
  const roomNeeded = text.length * gramsPerUnit;
  if (scratch.length < roomNeeded) scratch = new Uint16Array(roomNeeded * 2);
  const out = scratch;
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
    const isInWord = previousClass === word;
    if (currentClass === word) {
      if (!isInWord) {
        beginning = 0;
        beginningLength = previousClass === -1 && !startsWord ? beginningMax : 0;
      }
      if (beginningLength < beginningMax) {
        beginning = Math.imul(beginning ^ current, 0x01000193) + 0x1b873593;
        beginningLength++;
        out[count++] = mixed(beginning);
      }
    } else if (currentClass === sign) {
      out[count++] = mixed(current);
    } else if (currentClass === symbol) {
      out[count++] = mixed(current);
      // Where a word may start, few symbols stand: "’s" at a start is rarer than "’" and "s".
      const isAtStart = previousClass === -1 ? startsWord : !isInWord;
      if (isAtStart) out[count++] = mixed(current ^ startMark);
    }
    const isPair = previousClass > space && currentClass !== space;
    if (isPair && !(isInWord && currentClass === word)) {
      out[count++] = mixed(Math.imul(previous, 31337) ^ current);
    }
    previousClass = currentClass;
    previous = current;
  }
  return out.subarray(0, count);
}

// Murmur's finalizer: every bit of the gram reaches the twelve that are kept.
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (gramCount - 1);
}
