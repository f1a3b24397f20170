// Finds the splice point of a continued stream: where the text of one attempt ends and the text of
// another begins. Relay contract, 3.4, step 4.

/** Minimum number of matching characters at the end of the delivered text for an overlap. */
const MIN_OVERLAP = 16;

export type SplicedText = {
  /** The part of the new text to deliver. */
  readonly text: string;
  /** The new attempt began again from the start: its usage covers the delivered text. */
  readonly isRestart: boolean;
};

/**
 * Returns the part of `next`, the new attempt's text so far, that follows `delivered`. Null: more
 * text is needed. `isEnd`: `next` is complete.
 */
export function spliceText(delivered: string, next: string, isEnd: boolean): SplicedText | null {
  if (next.length >= delivered.length && next.startsWith(delivered)) {
    return { text: next.slice(delivered.length), isRestart: true };
  }
  if (!isEnd && (delivered.startsWith(next) || mayOverlapMore(delivered, next))) return null;
  // A restart that is shorter than the delivered text adds nothing.
  if (next.length >= MIN_OVERLAP && delivered.startsWith(next)) {
    return { text: '', isRestart: true };
  }
  const overlap = findOverlap(delivered, next);
  if (overlap > 0) return { text: next.slice(overlap), isRestart: false };
  return { text: joinWhitespace(delivered, next), isRestart: false };
}

/** Whether the delivered text contains `next`, so that further text may lengthen the overlap. */
const mayOverlapMore = (delivered: string, next: string) => delivered.includes(next);

/**
 * Returns the length of the longest start of `next` with which the delivered text ends. The search
 * is linear (Knuth, Morris and Pratt). Before, 256 KiB of one repeated word blocked for 53 s.
 */
function findOverlap(delivered: string, next: string): number {
  const tail = delivered.slice(-next.length);
  const borders = bordersOf(next.slice(0, tail.length));
  let length = 0;
  for (let index = 0; index < tail.length; index += 1) {
    const code = tail.charCodeAt(index);
    while (length > 0 && next.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (next.charCodeAt(length) === code) length += 1;
  }
  return length >= MIN_OVERLAP ? length : 0;
}

/** Returns, for each start of the text, the longest shorter start with which it ends. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length += 1;
    borders[index] = length;
  }
  return borders;
}

const joinWhitespace = (delivered: string, next: string) =>
  /\s$/.test(delivered) ? next.replace(/^\s+/, '') : next;
