// Canonical JSON (RFC 8785): members sorted by UTF-16 code units, numbers and strings as ECMAScript
// writes them, no white space. Equal values have equal bytes.

/**
 * `value` is a result of `JSON.parse`. Concatenation copies no text before the end; a join would
 * copy the innermost text once for each level.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const inner of value) text += `${text === '' ? '[' : ','}${canonicalJson(inner)}`;
    return text === '' ? '[]' : `${text}]`;
  }
  // The default order of strings is that of their code units (RFC 8785, 3.2.3).
  for (const [name, inner] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalJson(inner)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
