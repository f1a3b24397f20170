// Writes PostgreSQL array literals. The driver takes longer to encode twenty arrays of short
// strings than the server takes to execute the statement.

/** Texts that need no quotation marks in a literal. */
const unquotedText = /^[\w:.-]+$/;

/** A literal of a one-dimensional array. */
export function arrayLiteral(
  values: readonly (string | number | bigint | boolean | null)[],
): string {
  let literal = '';
  for (const value of values) {
    literal += literal === '' ? '{' : ',';
    if (value === null) literal += 'NULL';
    else if (typeof value !== 'string') literal += value;
    else literal += unquotedText.test(value) && !/^null$/i.test(value) ? value : quoteValue(value);
  }
  return literal === '' ? '{}' : `${literal}}`;
}

const quoteValue = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

/** A literal of an array of bytes. */
export function bytesLiteral(values: readonly (Buffer | null)[]): string {
  const parts = values.map((bytes) =>
    bytes === null ? 'NULL' : `"\\\\x${bytes.toString('hex')}"`,
  );
  return `{${parts.join(',')}}`;
}
