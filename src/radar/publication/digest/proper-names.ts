// Which words with a capital are names at all: a word that only ever begins a sentence, or stands
// somewhere in lower case, tells no two matters apart.

import type { OwnedClaim } from './digest.ts';
import { isVariant } from './find-names.ts';

const inSentence = /[\p{Ll}\p{N},]["”’)]? +["“(]?(\p{Lu}[\p{sc=Latin}\p{N}'&.-]*)/gu;
const lower = /(?<![\p{L}\p{N}])\p{Ll}[\p{sc=Latin}\p{N}-]*/gu;
const begins = /(?:^|[.!?:"“”\n]) *["“(]?(\p{Lu}\p{Ll}+)(?= \p{Ll})/gmu;

const readCharacters = 3_000;
const bare = (name: string) => name.replace(/(?:['’]s|['’]|\.)$/u, '').toLowerCase();

/** Claims without the anchors that are no names. */
export function withProperNames(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const reports = [...new Set(claims.map((claim) => claim.report))];
  const bodies = reports.map(({ text }) => text.slice(0, readCharacters));
  const seen = new Map<string, number>();
  for (const body of bodies) {
    for (const [, name = ''] of body.matchAll(inSentence)) {
      seen.set(bare(name), (seen.get(bare(name)) ?? 0) + 1);
    }
  }
  const plain = new Set(bodies.flatMap((body) => body.match(lower) ?? []));
  const first = new Map<string, number>();
  for (const { title, text } of reports) {
    for (const [, name = ''] of `${title}\n${text.slice(0, readCharacters)}`.matchAll(begins)) {
      first.set(bare(name), (first.get(bare(name)) ?? 0) + 1);
    }
  }
  const isWord = (name: string) =>
    !isVariant(name) && !seen.has(name) && (plain.has(name) || first.get(name) === 1);
  const words = new Set(
    claims.flatMap((claim) => claim.anchor.split(' ')).filter((name) => isWord(name)),
  );
  if (words.size === 0) return claims;
  return claims.map((claim) => {
    const anchor = claim.anchor
      .split(' ')
      .filter((name) => !words.has(name.replace(/^~/u, '')))
      .join(' ');
    return anchor === claim.anchor ? claim : { ...claim, anchor };
  });
}
