// Single-byte code pages that iconv-lite lacks: the EBCDIC family, a few Macintosh pages, Kazakh
// and Urdu. The tables are the Unicode Consortium's and IBM's published mappings.
import tables from './single-byte-tables.json' with { type: 'json' };

export type TableName = keyof typeof tables;

/** Where a byte has no character, the table has U+FFFD. */
export function decodeByTable(bytes: Uint8Array, name: TableName): string {
  const half = tables[name].join('');
  const isEbcdic = half.length === 256;
  const chars = isEbcdic ? half : asciiHalf + half;
  let text = '';
  for (const byte of bytes) text += chars[byte];
  // EBCDIC ends its lines with NEL (0x15), which in no other family means a line break.
  return isEbcdic ? text.replaceAll('\u0085', '\n') : text;
}

const asciiHalf = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
