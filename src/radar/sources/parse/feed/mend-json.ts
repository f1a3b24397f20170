// Repairs truncated JSON: it keeps everything up to the last complete value and closes the open
// brackets. It also removes a byte order mark, a JSONP wrapper and trailing commas.

export type MendedJson =
  | { readonly kind: 'value'; readonly value: unknown; readonly wasRepaired: boolean }
  | { readonly kind: 'not_json' };

const MAX_DEPTH = 200;

/** Linear: one pass over the text, and at most two parses. */
export function mendJson(source: string): MendedJson {
  const text = source
    .replace(/^\ufeff/, '')
    .replace(/^\s*[\w.$]{1,100}\(\s*(?=[{[])/, '')
    .trim();
  if (!/^[{[]/.test(text)) return { kind: 'not_json' };
  const parsed = parse(text);
  if (parsed !== undefined) return { kind: 'value', value: parsed, wasRepaired: false };
  const closedText = closeAtLastValue(text);
  const value = closedText === null ? undefined : parse(closedText);
  return value === undefined ? { kind: 'not_json' } : { kind: 'value', value, wasRepaired: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text up to the last position at which all open values can be closed. */
function closeAtLastValue(text: string): string | null {
  /** The closing brackets of the open values. */
  const closingBrackets: string[] = [];
  let lastClosedText: string | null = null;
  let repaired = '';
  let from = 0;
  let lastComma = -1;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? '';
    if (char === '"') {
      index = stringEnd(text, index);
      lastComma = -1;
    } else if (char === '{' || char === '[') {
      closingBrackets.push(char === '{' ? '}' : ']');
      if (closingBrackets.length > MAX_DEPTH) return lastClosedText;
      lastComma = -1;
    } else if (char === ',') lastComma = index;
    else if (char === '}' || char === ']') {
      // A comma before a closing bracket separates no value.
      if (lastComma >= 0) {
        repaired += text.slice(from, lastComma);
        from = index;
      }
      if (closingBrackets.pop() !== char) return lastClosedText;
      lastComma = -1;
      // Only complete items are useful, and they are near the top level.
      if (closingBrackets.length <= 2) {
        repaired += text.slice(from, index + 1);
        from = index + 1;
        lastClosedText = repaired + closingBrackets.toReversed().join('');
      }
    } else if (char.trim() !== '') lastComma = -1;
  }
  return lastClosedText;
}

/** End of the string that begins at `position`; end of the text when unterminated. */
function stringEnd(text: string, position: number): number {
  for (let end = position + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '"') return end;
  }
  return text.length;
}
