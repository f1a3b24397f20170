// ISO 2022 in seven bits: escape sequences say which character set follows (RFC 1468, 1554, 1557,
// 2237; JIS X 0213:2004 annex 2). One reader for all the Japanese and Korean variants.
import iconv from 'iconv-lite';
import { jisCharacter } from './jis.ts';

type CharacterSet =
  | 'ascii'
  | 'roman'
  | 'katakana'
  | 'jis'
  | 'jis-2'
  | 'gb'
  | 'ks'
  | 'latin'
  | 'greek';

/** What follows ESC, to the set that it selects. Longest first where one begins another. */
type Place = 'g0' | 'g2' | 'so' | 'none';
const escapes: readonly (readonly [string, CharacterSet, Place])[] = [
  ['(B', 'ascii', 'g0'],
  ['(J', 'roman', 'g0'],
  ['(I', 'katakana', 'g0'],
  ['$@', 'jis', 'g0'],
  ['$B', 'jis', 'g0'],
  ['$(@', 'jis', 'g0'],
  ['$(B', 'jis', 'g0'],
  ['$(O', 'jis', 'g0'],
  ['$(Q', 'jis', 'g0'],
  ['$(D', 'jis-2', 'g0'],
  ['$(P', 'jis-2', 'g0'],
  ['$A', 'gb', 'g0'],
  ['$(A', 'gb', 'g0'],
  ['$(C', 'ks', 'g0'],
  ['$)C', 'ks', 'so'],
  ['$)A', 'gb', 'so'],
  ['.A', 'latin', 'g2'],
  ['.F', 'greek', 'g2'],
];

const ESC = 0x1b;
const SO = 0x0e;
const SI = 0x0f;

export function decodeIso2022(bytes: Uint8Array): string {
  let text = '';
  let g0: CharacterSet = 'ascii';
  let shifted: CharacterSet = 'ks';
  let g2: CharacterSet = 'latin';
  let isShifted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    if (byte === SO || byte === SI) isShifted = byte === SO;
    else if (byte === ESC && second === 0x4e) {
      text += single((bytes[at + 2] ?? 0) | 0x80, g2);
      at += 2;
    } else if (byte === ESC) {
      const sequence = String.fromCharCode(...bytes.subarray(at + 1, at + 4));
      const found = escapes.find(([start]) => sequence.startsWith(start));
      const [code, set, place] = found ?? ['', 'ascii', 'none'];
      if (place === 'g0') g0 = set;
      else if (place === 'g2') g2 = set;
      else if (place === 'so') shifted = set;
      at += code.length;
    } else {
      const set: CharacterSet = isShifted ? shifted : g0;
      if (byte <= 0x20 || isSingle(set)) text += single(byte, set);
      else {
        text += pair(byte & 0x7f, second & 0x7f, set);
        at += 1;
      }
    }
    // A line begins in ASCII (RFC 1468); documents that forget the escape are read on.
    if (byte === 0x0a) g0 = 'ascii';
  }
  return text;
}

function isSingle(set: CharacterSet): boolean {
  return set === 'ascii' || set === 'roman' || set === 'katakana';
}

function single(byte: number, set: CharacterSet): string {
  if (set === 'katakana' && byte >= 0x21 && byte <= 0x5f) return String.fromCharCode(byte + 0xff40);
  if (set === 'roman' && byte === 0x5c) return '¥';
  if (set === 'roman' && byte === 0x7e) return '‾';
  if (set === 'greek') return iconv.decode(Buffer.from([byte]), 'iso-8859-7');
  return set !== 'latin' && byte > 0x7f ? '\ufffd' : String.fromCharCode(byte);
}

function pair(first: number, second: number, set: CharacterSet): string {
  if (first > 0x7e || second < 0x21 || second > 0x7e) return '\ufffd';
  if (set === 'jis' || set === 'jis-2') {
    return jisCharacter(set === 'jis' ? 1 : 2, first - 0x20, second - 0x20);
  }
  const code = (first << 8) | second | (set === 'ks' ? 0x8080 : 0);
  const known = foreign.get(code);
  if (known !== undefined) return known;
  const bytes = Buffer.from([first | 0x80, second | 0x80]);
  const character = iconv.decode(bytes, set === 'ks' ? 'euc-kr' : 'gbk');
  foreign.set(code, character);
  return character;
}

/** Korean and Chinese characters met so far (at most two tables of 94 by 94). */
const foreign = new Map<number, string>();
