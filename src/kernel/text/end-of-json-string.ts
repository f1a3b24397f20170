// Finds the end of a string in a JSON text without parsing the text.

const QUOTE = 34;
const BACKSLASH = 92;
const NEAR = 8;

/**
 * The index after the closing quotation mark of the string that opens at `start`. The length of the
 * text when the string has no end.
 */
export function endOfJsonString(text: string, start: number): number {
  for (let position = start + 1; ; ) {
    const quote = text.indexOf('"', position);
    if (quote === -1) return text.length;
    if (!isEscaped(text, quote)) return quote + 1;
    // Escaped quotation marks are often close together, where a search costs more than a loop.
    for (position = quote + 1; position < quote + NEAR; position += 1) {
      const code = text.charCodeAt(position);
      if (code === BACKSLASH) break;
      if (code === QUOTE) return position + 1;
    }
    for (; text.charCodeAt(position) === BACKSLASH; position += 2);
  }
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
