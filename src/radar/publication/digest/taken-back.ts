// A correction holds whatever the reports call its figure: a difference between exactly what a
// report takes back and what it puts in its place is that correction, and no contradiction.
import { agree, readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';
import type { Dispute, Supersession } from './disputes.ts';

type Correction = { readonly was: OwnedClaim; readonly now: OwnedClaim };

/** What a report takes back in so many words, with what it says instead. */
export function correctionsIn(claims: readonly OwnedClaim[]): readonly Correction[] {
  const turned = claims.filter((claim) => readAttribute(claim.attribute).isCorrection);
  const isOf = (side: 'was' | 'now') => (claim: OwnedClaim) =>
    readAttribute(claim.attribute).side === side;
  return turned
    .filter(isOf('was'))
    .flatMap((was) =>
      turned.filter(isOf('now')).flatMap((now) => (isPairOf(was, now) ? [{ was, now }] : [])),
    );
}

/** A correction's two figures may be within what either was rounded to: "an hour", 45 minutes. */
export const isPairOf = (was: OwnedClaim, now: OwnedClaim): boolean =>
  readAttribute(now.attribute).isCorrection &&
  was.reportId === now.reportId &&
  was.sentence === now.sentence &&
  was.unit === now.unit &&
  was.value !== now.value;

/** Those that no matter has told: nobody knew what the figure is of, or the others called it so. */
export function untold(
  corrections: readonly Correction[],
  told: readonly Supersession[],
  claims: readonly OwnedClaim[],
): readonly Supersession[] {
  const found: Supersession[] = [];
  for (const { was, now } of corrections) {
    const isTold = [...told, ...found].some(
      (one) => one.was.some((old) => isIt(old, was)) && one.now.some((fresh) => isIt(fresh, now)),
    );
    const others = claims.filter(
      (claim) => claim.reportId !== was.reportId && readAttribute(claim.attribute).side === null,
    );
    const old = others.filter((claim) => isIt(claim, was));
    // What nobody has said needs no taking back.
    if (isTold || old.length === 0) continue;
    const fresh = others.filter((claim) => isIt(claim, now) && !isIt(claim, was));
    found.push({ attribute: nameOf([...old, ...fresh, now]), was: old, now: [now, ...fresh] });
  }
  return found;
}

/** Without the sides that a correction takes back where another side says what it puts instead. */
export function withoutTakenBack(
  disputes: readonly Dispute[],
  corrections: readonly Correction[],
): readonly Dispute[] {
  if (corrections.length === 0) return disputes;
  return disputes.flatMap((one) => {
    const { attribute } = one;
    const sides = one.sides.filter(
      (side) =>
        !corrections.some(
          ({ was, now }) =>
            side.some((claim) => isIt(claim, was)) &&
            one.sides.some((other) => other !== side && other.some((claim) => isIt(claim, now))),
        ),
    );
    return sides.length < 2 ? [] : [{ attribute, sides }];
  });
}

/** "400k" may be of tokens. */
const isIt = (claim: OwnedClaim, figure: OwnedClaim): boolean => {
  const isOneUnit = claim.unit === figure.unit;
  const isBare = [claim.unit, figure.unit].every((unit) => unit === null || unit === 'tokens');
  return (isOneUnit || isBare) && agree(claim, figure);
};

/** The attribute that most of them have; where none is sure, their kind. */
function nameOf(claims: readonly OwnedClaim[]): string {
  const sure = claims.map(({ attribute }) => readAttribute(attribute)).filter((one) => one.isSure);
  const keys = Map.groupBy(sure, ({ key }) => key);
  const [most] = [...keys].toSorted((a, b) => b[1].length - a[1].length);
  if (most !== undefined) return most[0];
  const { kind } = readAttribute(claims[0]?.attribute ?? '');
  return `some-${kind === '' ? 'count' : kind}`;
}
