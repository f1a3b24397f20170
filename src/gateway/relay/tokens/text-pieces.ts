// Cuts a text at token boundaries. This file imports no vocabulary, so every thread can use it.

/**
 * A piece ends before the last space within `maxCharacters`, because tokens begin with a space. A
 * piece without a space ends inside a word.
 */
export function endOfPiece(text: string, from: number, maxCharacters: number): number {
  const to = from + maxCharacters;
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(' ', to);
  if (space > from) return space;
  // A surrogate pair stays together.
  return (text.codePointAt(to - 1) ?? 0) > 0xffff ? to + 1 : to;
}
