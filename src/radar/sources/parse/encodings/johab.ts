// Johab (KS X 1001 annex 3, code page 1361). A Hangul syllable is three five-bit letters. Symbols
// and hanja are the rows of KS X 1001, shifted.
import iconv from 'iconv-lite';

const none = -1;
const medials = new Map(
  [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29].map(
    (code, index) => [code, index] as const,
  ),
);
/** Compatibility jamo of the nineteen initial and the twenty-seven final consonants. */
const initialJamo = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const finalJamo = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';

export function decodeJohab(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    const trail = bytes[at + 1];
    if (lead < 0x80) text += String.fromCharCode(lead);
    else if (trail === undefined || trail < 0x31) text += '\ufffd';
    else {
      text += lead >= 0xd8 ? moved(lead, trail) : hangul((lead << 8) | trail);
      at += 1;
    }
  }
  return text;
}

function hangul(code: number): string {
  const initial = letter((code >> 10) & 31, 1, (five) => (five <= 20 ? five - 2 : undefined));
  const medial = letter((code >> 5) & 31, 2, (five) => medials.get(five));
  const final = letter(code & 31, 1, (five) =>
    five <= 17 ? five - 1 : five >= 19 && five <= 29 ? five - 2 : undefined,
  );
  if (initial === undefined || medial === undefined || final === undefined) return '\ufffd';
  if (initial !== none && medial !== none) {
    const tail = final === none ? 0 : final;
    return String.fromCharCode(0xac00 + (initial * 21 + medial) * 28 + tail);
  }
  if (medial === none && final === none && initial !== none) return initialJamo[initial] ?? '';
  if (initial === none && final === none && medial !== none) {
    return String.fromCharCode(0x314f + medial);
  }
  if (initial === none && medial === none && final !== none) return finalJamo[final - 1] ?? '';
  return '\ufffd';
}

function letter(
  five: number,
  fill: number,
  index: (five: number) => number | undefined,
): number | undefined {
  if (five === fill) return none;
  return five > fill ? index(five) : undefined;
}

/** The arithmetic of the standard: two rows of KS X 1001 to each lead byte. */
function moved(lead: number, trail: number): string {
  if (lead > 0xf9 || lead === 0xdf || (trail > 0x7e && trail < 0x91) || trail === 0xff) {
    return '\ufffd';
  }
  const rows = lead < 0xe0 ? 2 * (lead - 0xd9) : 2 * lead - 0x197;
  const cells = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  const row = rows + (cells < 0x5e ? 0 : 1) + 0x21;
  const cell = (cells < 0x5e ? cells : cells - 0x5e) + 0x21;
  if (row < 0x21 || row > 0x7e) return '\ufffd';
  return iconv.decode(Buffer.from([row | 0x80, cell | 0x80]), 'euc-kr');
}
