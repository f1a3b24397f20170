// Maps an encoding label to a decoder. Labels come from the WHATWG Encoding Standard, IANA and
// Python, compared without case and punctuation. The platform's TextDecoder and iconv-lite decode.
import iconv from 'iconv-lite';
import { decodeC1Controls } from '../../../../kernel/text/text.ts';

/**
 * Group of a codec: `utf-8`; `wide` (units of two or four bytes); `latin` (often declared by
 * default); any other superset of ASCII.
 */
export type CodecFamily = 'utf-8' | 'wide' | 'latin' | 'ascii-like';

export type Codec = {
  readonly name: string;
  readonly family: CodecFamily;
  /** Never throws; unreadable bytes become U+FFFD. */
  readonly decode: (bytes: Uint8Array) => string;
};

/** Null when the label is unknown. */
export function findCodec(label: string): Codec | null {
  const normalizedLabel = label
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  if (normalizedLabel === '' || normalizedLabel.length > 40) return null;
  const shortLabel = withoutYear(normalizedLabel).replace(
    /^(?:csibm|ibm|dos|msdos|cspc)0*(\d{3,4})$/,
    'cp$1',
  );
  const name = aliases.get(normalizedLabel) ?? aliases.get(shortLabel) ?? shortLabel;
  return specialCodecs.get(name) ?? iconvCodec(name);
}

/** IANA appends the year of the standard after a colon: `ISO_8859-2:1987`. */
const withoutYear = (normalizedLabel: string) =>
  normalizedLabel.replace(/^(iso8859\d{1,2}|tis6202?)(?:19|20|25)\d\d\d?$/, '$1');

function iconvCodec(name: string): Codec | null {
  // iconv-lite also has transfer encodings, which are not encodings of text.
  if (/^(?:base64|hex|binary)$/.test(name) || !iconv.encodingExists(name)) return null;
  return { name, family: familyOf(name), decode: iconvDecoder(name) };
}

function iconvDecoder(name: string): Codec['decode'] {
  return (bytes) => iconv.decode(asBuffer(bytes), name, { stripBOM: true });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function familyOf(name: string): CodecFamily {
  if (name === 'utf8') return 'utf-8';
  return /^(?:utf16|utf32|ucs2|ucs4)/.test(name) ? 'wide' : 'ascii-like';
}

/** windows-1252 of the Encoding Standard maps every byte; iconv-lite's leaves five unmapped. */
const decodeWindows1252 = (bytes: Uint8Array) =>
  decodeC1Controls(asBuffer(bytes).toString('latin1'));

/** For encodings that iconv-lite lacks, or has without the euro sign that Apple added. */
const platformDecoder = (label: string) => (bytes: Uint8Array) =>
  new TextDecoder(label).decode(bytes);

const specialCodecs: ReadonlyMap<string, Codec> = new Map(
  (
    [
      ['windows1252', 'latin', decodeWindows1252],
      ['iso2022jp', 'ascii-like', platformDecoder('iso-2022-jp')],
      ['macroman', 'ascii-like', platformDecoder('macintosh')],
      ['maccyrillic', 'ascii-like', platformDecoder('x-mac-cyrillic')],
    ] as const
  ).map(([name, family, decode]) => [name, { name, family, decode }]),
);

/**
 * One line is `codec: labels`. The list has only labels that iconv-lite lacks or maps to a smaller
 * set. The later Japanese sets are read as the earlier set that they extend.
 */
const aliases: ReadonlyMap<string, string> = new Map(
  `
  utf8: u8 utf utf8ucs2 utf8ucs4 cp65001 unicode11utf8 unicode20utf8 xunicode20utf8
  utf7: u7 unicode11utf7 csunicode11utf7 unicode20utf7
  utf16: u16 utf16 unicode csunicode iso10646ucs2 ucs2 unicodefeff
  utf16le: unicodelittleunmarked utf16le unicodefffe
  utf16be: unicodebigunmarked utf16be ucs2be
  utf32: u32 utf32 ucs4 iso10646ucs4 csucs4
  windows1252: ascii csascii cp1252 1252 windows1252 xcp1252 ansi xansi 646 iso646irv1991
  windows1252: usascii ansix341968
  windows1252: ansix341986 iso646us isoir6 cp367 ibm367 us
  windows1252: iso88591 latin1 l1 8859 iso8859 latin 88591 isoir100 cp819 ibm819 csisolatin1
  windows1254: iso88599 latin5 l5 isoir148 csisolatin5
  windows1250: xcp1250
  windows1251: xcp1251
  windows1253: xcp1253
  windows1254: xcp1254
  windows1255: xcp1255
  windows1256: xcp1256
  windows1257: xcp1257
  windows1258: xcp1258
  iso88597: suneugreek
  iso885915: csisolatin9
  gb18030: gb18030 gb180302000 gb2312 gb231280 csgb2312 csiso58gb231280 euccn eucgb2312cn
  gb18030: gb23121980 isoir58 chinese xeuccn xmacsimpchinese gbk xgbk cp936 ms936 936 windows936
  big5hkscs: hkscs big5 big5tw csbig5 cnbig5 xxbig5 xmactradchinese big5hkscs cp950 ms950 950
  cp949: uhc euckr ksx1001 ksc56011987 ksc5601 ksc56011989 isoir149 korean cseuckr windows949
  cp949: xwindows949 ms949 949 xmackorean cp949 cseucpkdfmtkorean ksc5601ks ksx10011992
  eucjp: ujis eucjp cseucpkdfmtjapanese xeucjp extendedunixcodepackedformatforjapanese
  eucjp: jisx0213 eucjis2004 eucjisx0213
  shiftjis: xmacjapanese mskanji csshiftjis xsjis sjis shiftjis windows31j cswindows31j ms932
  shiftjis: shiftjis2004 sjis2004 shiftjisx0213 sjisx0213
  iso2022jp: csiso2022jp iso2022jp1 iso2022jp2 csiso2022jp2 iso2022jp3 iso2022jp2004
  iso2022jp: iso2022jpext jis7 jis
  cp1125: cp866u ruscii 1125 ibm1125
  cp861: cpis
  cp720: 720 dos720
  hproman8: cp1051 r8 roman8 ibm1051 cshproman8
  maccenteuro: maccentraleurope maclatin2 macce xmacce xmaccentraleurroman
  macromania: macromanian xmacromanian
  macroman: macintosh mac xmacroman csmacintosh
  maccroatian: xmaccroatian
  maccyrillic: xmaccyrillic xmacukrainian macukraine
  macgreek: xmacgreek
  macturkish: xmacturkish
  maciceland: xmacicelandic macicelandic
  koi8r: cskoi8r koi koi8
  koi8u: koi8ru
  iso885910: iso8859101992 isoir157 l6 latin6
  iso88596: asmo708 ecma114 arabic isoir127 iso88596e iso88596i csiso88596e csiso88596i
  iso88598: hebrew isoir138 iso88598e iso88598i logical visual csiso88598e csiso88598i
  windows874: tis620 tis6200 tis62025290 tis62025291 isoir166 iso885911 dos874 cp874 874 thai
  viscii: csviscii
  tcvn: tcvn5712 tcvn57121
  `
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [codecName = '', labels = ''] = line.trim().split(': ');
      return labels.split(' ').map((label) => [label, codecName] as const);
    }),
);
