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

/** Returns the length of the longest start of `next` with which the delivered text ends. */
function findOverlap(delivered: string, next: string): number {
  for (let length = Math.min(delivered.length, next.length); length >= MIN_OVERLAP; length -= 1) {
    if (delivered.endsWith(next.slice(0, length))) return length;
  }
  return 0;
}

const joinWhitespace = (delivered: string, next: string) =>
  /\s$/.test(delivered) ? next.replace(/^\s+/, '') : next;
