// The Japanese character sets behind EUC, Shift_JIS and ISO-2022-JP. JIS X 0208 and 0212 come from
// iconv-lite's EUC-JP. JIS X 0213 (2004) is a table of its additions.
import iconv from 'iconv-lite';
import added from './jis-x-0213.json' with { type: 'json' };

type Plane = 1 | 2;

const key = (plane: Plane, row: number, cell: number) => (plane * 100 + row) * 100 + cell;

/** The character at a place of JIS X 0208/0213 (plane 1) or 0212/0213 (plane 2), rows from 1. */
export function jisCharacter(plane: Plane, row: number, cell: number): string {
  table ??= buildTable();
  return table.get(key(plane, row, cell)) ?? '\ufffd';
}

let table: ReadonlyMap<number, string> | undefined;

function buildTable(): ReadonlyMap<number, string> {
  const characters = new Map<number, string>();
  for (const plane of [1, 2] as const) {
    for (let row = 1; row <= 94; row += 1) {
      for (let cell = 1; cell <= 94; cell += 1) {
        const pair = [row + 0xa0, cell + 0xa0];
        const text = iconv.decode(Buffer.from(plane === 1 ? pair : [0x8f, ...pair]), 'euc-jp');
        if (!text.includes('\ufffd')) characters.set(key(plane, row, cell), text);
      }
    }
  }
  for (const [place, run] of Object.entries(added.runs)) {
    const [plane, row, cell] = placeOf(place);
    for (const [index, character] of [...run].entries()) {
      characters.set(key(plane, row, cell + index), character);
    }
  }
  for (const [place, sequence] of Object.entries(added.sequences)) {
    characters.set(key(...placeOf(place)), sequence);
  }
  return characters;
}

function placeOf(text: string): [Plane, number, number] {
  const [plane = 1, row = 0, cell = 0] = text.split('-').map(Number);
  return [plane === 2 ? 2 : 1, row, cell];
}

const isHigh = (byte: number | undefined): byte is number =>
  byte !== undefined && byte >= 0xa1 && byte <= 0xfe;

/** EUC-JIS-2004 (and EUC-JISX0213, which differs in ten characters). */
export function decodeEucJis2004(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const second = bytes[at + 1];
    const third = bytes[at + 2];
    if (byte < 0x80) text += String.fromCharCode(byte);
    else if (byte === 0x8e && isHigh(second)) {
      text += halfWidth(second);
      at += 1;
    } else if (byte === 0x8f && isHigh(second) && isHigh(third)) {
      text += jisCharacter(2, second - 0xa0, third - 0xa0);
      at += 2;
    } else if (isHigh(byte) && isHigh(second)) {
      text += jisCharacter(1, byte - 0xa0, second - 0xa0);
      at += 1;
    } else text += '\ufffd';
  }
  return text;
}

const halfWidth = (byte: number) =>
  byte >= 0xa1 && byte <= 0xdf ? String.fromCharCode(byte - 0xa1 + 0xff61) : '\ufffd';

/** Lead bytes F0..F4 name the scattered rows of plane 2; from F5 on they are in order. */
const secondPlaneRows = [
  [1, 8],
  [3, 4],
  [5, 12],
  [13, 14],
  [15, 78],
] as const;

/** Shift_JIS-2004 (and Shift_JISX0213): 5C is a yen sign and 7E an overline. */
export function decodeShiftJis2004(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const trail = bytes[at + 1] ?? 0;
    if (byte === 0x5c) text += '¥';
    else if (byte === 0x7e) text += '‾';
    else if (byte < 0x80) text += String.fromCharCode(byte);
    else if (byte >= 0xa1 && byte <= 0xdf) text += halfWidth(byte);
    else if (byte === 0x80 || byte === 0xa0 || byte > 0xfc || !isTrail(trail)) text += '\ufffd';
    else {
      text += shifted(byte, trail);
      at += 1;
    }
  }
  return text;
}

const isTrail = (byte: number) => byte >= 0x40 && byte <= 0xfc && byte !== 0x7f;

function shifted(lead: number, trail: number): string {
  const isSecondRow = trail >= 0x9f;
  const cell = isSecondRow ? trail - 0x9e : trail - (trail > 0x7f ? 0x40 : 0x3f);
  const side = isSecondRow ? 1 : 0;
  if (lead < 0xf0)
    return jisCharacter(1, (lead - (lead < 0xe0 ? 0x81 : 0xc1)) * 2 + 1 + side, cell);
  const row = secondPlaneRows[lead - 0xf0]?.[side] ?? (lead - 0xf5) * 2 + 79 + side;
  return jisCharacter(2, row, cell);
}
