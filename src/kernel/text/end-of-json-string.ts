// Finds the end of a string in a JSON text without parsing the text.

const BACKSLASH = 92;

/**
 * The index after the closing quotation mark of the string that opens at `start`. The length of the
 * text when the string has no end.
 */
export function endOfJsonString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
