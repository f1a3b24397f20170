// Reads words of dates: months in the languages of feeds, and names of time zones.

const englishMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Prefixes of month names in the order of the year. `/` separates alternatives. */
const months: readonly (readonly string[])[] = [
  'janv fév/fev mars avr mai juin juil août/aout sept oct nov déc/dec',
  'jän/jänner feb mär/maer apr mai jun jul aug sep okt nov dez',
  'ene feb mar abr may jun jul ago sep/set oct nov dic',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'jan feb maa/mrt apr mei jun jul aug sep okt nov dec',
  'jan feb mar apr maj jun jul aug sep okt nov dec',
  'sty lut mar kwi maj cze lip sie wrz paź/paz lis gru',
  'led úno/uno bře/bre dub kvě/kve červn/cerv/čvn červenc/čvc srp zář/zar říj/rij lis pro',
  'янв фев мар апр май/мая июн июл авг сен окт ноя дек',
  'січ лют бер кві тра чер лип сер вер жов лис гру',
  'ιαν φεβ μάρ/μαρ/μάώ/μαώ απρ μάι/μαΐ/μαϊ/μαι ιούν/ιον/ιουν ιούλ/ιολ/ιουλ ' +
    'αύγ/αυγ σεπ οκτ νοέ/νοε δεκ',
  'január/jan február/feb március/már ápr/apr máj/maj/máujus jún/jun júl/jul aug ' +
    'szep/sze okt nov dec',
  'oca şub/sub mar nis may haz tem ağu/agu eyl eki kas ara',
].map((line) => line.split(' '));

/** 1 to 12; null when the word is not a month. */
export function monthNumber(word: string): number | null {
  const name = word.toLowerCase();
  const englishIndex = englishMonths.indexOf(name.slice(0, 3));
  if (englishIndex >= 0) return englishIndex + 1;
  for (const language of months) {
    const foundIndex = language.findIndex((starts) =>
      starts.split('/').some((start) => name.startsWith(start)),
    );
    if (foundIndex >= 0) return foundIndex + 1;
  }
  return null;
}

const zoneHours: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  wet: 0,
  west: 1,
  bst: 1,
  ist: 5.5,

  met: 1,
  cet: 1,
  mez: 1,
  mest: 2,
  cest: 2,
  mesz: 2,
  eet: 2,
  eest: 3,
  sast: 2,
  msk: 3,
  msd: 4,
  nst: -3.5,
  ndt: -2.5,
  adt: -3,
  ast: -4,
  at: -4,
  edt: -4,
  est: -5,
  et: -5,
  cdt: -5,
  cst: -6,
  ct: -6,
  mdt: -6,
  mst: -7,
  mt: -7,
  pdt: -7,
  pst: -8,
  pt: -8,
  akdt: -8,
  akst: -9,
  hst: -10,

  brt: -3,
  art: -3,
  gst: 4,
  pkt: 5,
  npt: 5.75,
  ict: 7,
  wib: 7,
  hkt: 8,
  sgt: 8,
  awst: 8,
  pht: 8,
  jst: 9,
  kst: 9,
  acst: 9.5,
  aest: 10,
  acdt: 10.5,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};

/** Military letters with the meaning of RFC 822: A is one hour west, N one hour east. */
const militaryWest = 'abcdefghiklm';
const militaryEast = 'nopqrstuvwxy';

/** Minutes east of UTC; null when the name is unknown. */
export function zoneMinutes(word: string): number | null {
  const name = word.toLowerCase();
  const hour = zoneHours[name];
  if (hour !== undefined) return hour * 60;
  if (name.length !== 1) return null;
  const west = militaryWest.indexOf(name);
  const east = militaryEast.indexOf(name);
  if (west >= 0) return -(west + 1) * 60;
  return east >= 0 ? (east + 1) * 60 : null;
}
