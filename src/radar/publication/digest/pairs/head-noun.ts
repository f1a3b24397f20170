// What a bare number counts: the words behind it ("2.5 million patients", 118名消防员), and whether
// two numbers can count the same.
import { stemOf } from './words.ts';

const closed = new Set(
  `of in on at to from by for with and or the a an its their his her this that will would were was
  are is has have had as than more who which when while after before if because since until during
  against between through into up down out over under near across within without per each
  every`.split(/\s+/u),
);
const measure = '[个位名家款项台块张座种层篇条次起部颗辆枚架艘间份例只头株批套场支件笔人户根所票]';
const han = new RegExp(`^\\s?[多余几]*(${measure})?(?:的)?(\\p{sc=Han}{1,6})?`, 'u');

/** Stems in English, pairs of characters in Chinese; empty when nothing plain follows. */
export function headOf(text: string, end: number): readonly string[] {
  const tail = text.slice(end, end + 60);
  const match = /^\s?\p{sc=Han}/u.test(tail) ? han.exec(tail) : null;
  if (match !== null) {
    const [, unit = '', noun = ''] = match;
    const first = /[名位人]/u.test(unit) ? ['人'] : /[个款项种次起批]|^$/u.test(unit) ? [] : [unit];
    const characters = [...noun].slice(0, 4);
    return [...first, ...characters.slice(1).map((char, at) => `${characters[at]}${char}`)];
  }
  const heads: string[] = [];
  for (const [word] of tail.matchAll(/[a-z][a-z'-]*|[^a-z\s-]/gu)) {
    if (!/^[a-z]/u.test(word) || closed.has(word)) break;
    heads.push(stemOf(word.replace(/'s?$/u, '')));
    if (heads.length === 4) break;
  }
  return heads;
}

const people = new RegExp(
  '^(?:peopl|person|worker|staff|employe|passenger|patient|user|custom|subscrib|student|pupil|' +
    'child|resident|member|develop|engine|victim|skier|driver|人)',
  'u',
);

/** 1 for the same, 0.4 for two words of people, 0 where one is not known, −1 for two things. */
export function headLikeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const isHan = (head: readonly string[]) => /\p{sc=Han}/u.test(head.at(-1) ?? '');
  if (isHan(a) !== isHan(b)) return 0;
  if (a.some((word) => b.includes(word))) return 1;
  const isPeople = (head: readonly string[]) => head.some((word) => people.test(word));
  return isPeople(a) && isPeople(b) ? 0.4 : -1;
}
