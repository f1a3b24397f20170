// Canonical JSON (RFC 8785): members sorted by UTF-16 code units, numbers and strings as ECMAScript
// writes them, no white space. Equal values have equal bytes.

/** `value` is a result of `JSON.parse`. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    // The default order of strings is that of their code units (RFC 8785, 3.2.3).
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${members.join(',')}}`;
}
