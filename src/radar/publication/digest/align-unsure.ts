// Two figures of nobody knows what are of one thing when their sentences speak of the same and
// every other figure of their kind is settled: "49% of those treated responded" beside "58% on the
// drug responding".
import { agree, comparableMiddle, readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';
import { sameMatter } from './find-names.ts';

const mostReports = 12;
const apart = /@(?:past|part|target|talks|left|total|unit|segment|phase|region|top|special)\b/u;
const mostTimes = 2.5;

/** Claims with unsure pairs given one attribute; what cannot be told stays unsure. */
export function alignUnsure(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const named = new Map<OwnedClaim, string>();
  const groups = Map.groupBy(claims.filter(isPlain), (claim) => claim.unit);
  for (const group of groups.values()) {
    if (!group.some((claim) => !readAttribute(claim.attribute).isSure)) continue;
    const reports = [...Map.groupBy(group, (claim) => claim.reportId).values()];
    const some = reports.slice(0, mostReports);
    for (const [index, own] of some.entries()) {
      for (const other of some.slice(index + 1)) alignPair(own, other, claims, named);
    }
  }
  if (named.size === 0) return claims;
  return claims.map((claim) => {
    const attribute = named.get(claim);
    return attribute === undefined ? claim : { ...claim, attribute };
  });
}

function isPlain(claim: OwnedClaim): boolean {
  const { side } = readAttribute(claim.attribute);
  const isPeople = readAttribute(claim.attribute).kind === 'people';
  const isUnit = claim.unit === null ? isPeople : claim.unit !== 'day' && claim.unit !== 'tokens';
  const isVague = /^(?:an?\s|[一几])/iu.test(claim.said);
  return side === null && isUnit && !isVague && !apart.test(claim.attribute);
}

function alignPair(
  own: readonly OwnedClaim[],
  other: readonly OwnedClaim[],
  all: readonly OwnedClaim[],
  named: Map<OwnedClaim, string>,
): void {
  if (own[0]?.report.owner === other[0]?.report.owner) return;
  const mine = left(own, other[0], all);
  const theirs = left(other, own[0], all);
  const pairs = mine.flatMap((a) =>
    theirs.flatMap((b) => {
      const shared = canBeOne(a, b) ? sharedWords(a, b) : [];
      return shared.length === 0 ? [] : [{ a, b, shared }];
    }),
  );
  const isOnly = values(mine) === 1 && values(theirs) === 1;
  const best = pairs.toSorted((one, two) => two.shared.length - one.shared.length);
  const [first] = best;
  if (first === undefined || first.shared.length < (isOnly ? 2 : 3)) return;
  const rival = best.find((one) => !agree(one.a, first.a) || !agree(one.b, first.b));
  if (rival !== undefined && rival.shared.length >= first.shared.length) return;
  const known = [first.a, first.b].find((claim) => readAttribute(claim.attribute).isSure);
  const word = first.shared.toSorted((x, y) => y.length - x.length)[0] ?? '';
  const attribute = named.get(first.a) ?? known?.attribute ?? `figure@of-${word}`;
  for (const claim of [first.a, first.b]) named.set(claim, attribute);
}

/** What the other report does not settle by stating it too. */
function left(
  own: readonly OwnedClaim[],
  other: OwnedClaim | undefined,
  all: readonly OwnedClaim[],
): readonly OwnedClaim[] {
  const stated = all.filter((one) => one.reportId === other?.reportId);
  return own.filter((claim) => {
    return !stated.some((one) => one.unit === claim.unit && agree(one, claim));
  });
}

const values = (claims: readonly OwnedClaim[]) =>
  claims.filter((claim, index) => !claims.slice(0, index).some((one) => agree(one, claim))).length;

function canBeOne(a: OwnedClaim, b: OwnedClaim): boolean {
  const [first, second] = [readAttribute(a.attribute), readAttribute(b.attribute)];
  if (first.isSure && second.isSure) return false;
  const hints = first.isSure ? second.hints : first.hints;
  const sure = first.isSure ? first : second.isSure ? second : null;
  if (sure !== null && hints.length > 0 && !hints.includes(sure.name)) return false;
  return comparableMiddle(a, b, mostTimes) && sameMatter(a.anchor, b.anchor);
}

const plain = new Set(
  `about after also been before from have into more most over said says than that their them then
  there they this will with would year years company million billion first last were when which
  while where whose only other such some since percent`.split(/\s+/u),
);

/** Words of meaning that both sentences have around their figures, cut to their stems. */
function sharedWords(a: OwnedClaim, b: OwnedClaim): readonly string[] {
  const theirs = wordsAround(b);
  const names = new Set([...a.anchor.split(' '), ...b.anchor.split(' ')].map(stemOf));
  return [...wordsAround(a)].filter((word) => theirs.has(word) && !names.has(word));
}

const stemOf = (word: string) => word.replace(/^[~^]/u, '').slice(0, 5);

function wordsAround(claim: OwnedClaim): ReadonlySet<string> {
  const text = claim.sentence.normalize('NFKC').toLowerCase();
  const at = Math.max(0, text.indexOf(claim.said.toLowerCase()));
  const end = at + claim.said.length;
  const isHan = /\p{sc=Han}{4}/u.test(text);
  const width = isHan ? 24 : 80;
  const near = `${text.slice(Math.max(0, at - width), at)} ${text.slice(end, end + width)}`;
  const latin = (near.match(/[a-z][a-z-]{3,}/gu) ?? []).filter((word) => !plain.has(word));
  const han = (near.match(/\p{sc=Han}+/gu) ?? []).flatMap((run) =>
    [...run].slice(1).map((char, index) => `${[...run][index]}${char}`),
  );
  return new Set([
    ...latin.map(stemOf),
    ...han.filter((pair) => !/[的了在是为和与将已达约共有被个]/u.test(pair)),
  ]);
}
