// What a bare number counts: the words behind it ("2.5 million patients", 118名消防员), and whether
// two numbers can count the same: nouns of one family (`editorial/digest/heads.json`) can.
import { z } from 'zod';
import file from '../../../../../editorial/digest/heads.json' with { type: 'json' };
import { stemOf } from './words.ts';

const list = z.array(z.string().min(1)).min(1);
export const headsFile = z.strictObject({
  /** Nouns that news uses for one another: jobs and posts, cars and vehicles, 辆 and 台. */
  families: z.record(z.string().regex(/^[a-z]+$/u), z.strictObject({ en: list, zh: list })),
});

const families = new Map<string, ReadonlySet<string>>();
for (const [family, { en, zh }] of Object.entries(headsFile.parse(file).families)) {
  for (const word of [...en.map(stemOf), ...zh]) {
    families.set(word, new Set([...(families.get(word) ?? []), family]));
  }
}

const closed = new Set(
  `of in on at to from by for with and or the a an its their his her this that will would were was
  are is has have had as than more who which when while after before if because since until during
  against between through into up down out over under near across within without per each
  every never also already still now all both later earlier only just not yet could can may might
  must do does did had been being be they we he she it i you whose whom what where how then there
  so too again once more most`.split(/\s+/u),
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

const noFamily: ReadonlySet<string> = new Set();

function familiesOf(head: readonly string[]): ReadonlySet<string> {
  const found = head.flatMap((word) => [...(families.get(word) ?? noFamily)]);
  return found.length === 0 ? noFamily : new Set(found);
}

/** 1 for the same, 0.6 for two of one family, 0 where one is not known, −0.5 for two words of which
 * one has no family, −1 for two things. */
export function headLikeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a.some((word) => b.includes(word))) return 1;
  const [own, theirs] = [familiesOf(a), familiesOf(b)];
  const areKnown = own.size > 0 && theirs.size > 0;
  if (areKnown && !own.isDisjointFrom(theirs)) return 0.6;
  const isHan = (head: readonly string[]) => /\p{sc=Han}/u.test(head.at(-1) ?? '');
  if (isHan(a) !== isHan(b)) return 0;
  return areKnown ? -1 : -0.5;
}
