// Names in a clause, as far as spelling shows them: capitalised words in English, Latin names in
// Chinese, known companies in both. Speakers, places and partners are returned as mentions, not as
// subjects.

import aliases from '../../../../../editorial/stories/aliases.json' with { type: 'json' };
import { cuePattern } from '../../../language/cues.ts';
import type { ClaimSubject } from '../digest.ts';

/** Ids of known companies by name. 英伟达 and Nvidia have one id. */
const known = new Map<string, string>(
  Object.values(aliases as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>)
    .flatMap((table) => Object.entries(table))
    .flatMap(([id, names]) => names.map((name) => [name.toLowerCase(), id] as const)),
);

const commonWord = cuePattern('common-word', 'iu');
const variants = new Set('max pro mini lite ultra plus air nano turbo flash se xl'.split(' '));

/** Words with a capital at the beginning of a sentence that are not names. */
export const isCommonWord = (word: string) => commonWord.test(word);

const speaker = cuePattern('speaker', 'gu');
const placed =
  /\b(?:in|at|near|from|across|via|led by|with|for|to|on|under)\s+(?:(?:the|an?)\s+)?$/u;
/** 全国算法备案中心（National Algorithm Registry）: the brackets translate the preceding name. */
const gloss = /(?<=\p{sc=Han})\s?[(（][\p{sc=Latin}\p{N} .,'&-]+[)）]/gu;
const word =
  /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{sc=Latin}\p{N}'&.-]*|[a-z]+[A-Z][\p{sc=Latin}\p{N}]*)/gu;

const baseName = (name: string) => name.replace(/(?:'s|'|\.)$/u, '').toLowerCase();

/** `text` as written, NFKC. Speakers, places and partners are mentions. */
export function findNames(text: string): readonly ClaimSubject[] {
  const roles = new Map<string, ClaimSubject['role']>();
  const add = (name: string, role: ClaimSubject['role']) => {
    if (roles.get(name) !== 'subject') roles.set(name, role);
  };
  const mention = (match: string) => {
    for (const [matchedWord] of match.matchAll(word)) {
      const name = baseName(matchedWord);
      if (!isCommonWord(name)) add(known.get(name) ?? name, 'mention');
    }
    return ' '.repeat(match.length);
  };
  const cleaned = text.replace(speaker, mention).replace(gloss, mention);
  for (const match of cleaned.matchAll(word)) {
    const name = baseName(match[0]);
    if (name.length < 2 || isCommonWord(name)) continue;
    const head = cleaned.slice(Math.max(0, match.index - 16), match.index);
    const id = known.get(name) ?? name;
    add(id, placed.test(head) ? 'mention' : 'subject');
  }
  return [...roles].map(([name, role]) => ({ name, role }));
}

/**
 * Whether two clauses can be about one thing: they share a name, or one of them has no subject.
 * Variants such as "pro" must be the same in both clauses.
 */
export function canBeSameSubject(a: readonly ClaimSubject[], b: readonly ClaimSubject[]): boolean {
  const variantsOf = (all: readonly ClaimSubject[]) =>
    all.flatMap(({ name }) => (variants.has(name) ? [name] : [])).sort();
  const subjects = a.filter(({ role }) => role === 'subject');
  const otherSubjects = b.filter(({ role }) => role === 'subject');
  if (a.length === 0 || b.length === 0) return true;
  if (variantsOf(a).join() !== variantsOf(b).join()) return false;
  if (subjects.length === 0 || otherSubjects.length === 0) return true;
  const isIn = (all: readonly ClaimSubject[]) => (subject: ClaimSubject) =>
    !variants.has(subject.name) && all.some(({ name }) => name === subject.name);
  return subjects.some(isIn(b)) || otherSubjects.some(isIn(a));
}
