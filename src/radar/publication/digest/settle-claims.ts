// A story's claims as facts: which say the same, which were superseded in so many words or by
// their own owner, and which contradict each other.
import { agree, comparable, readAttribute } from './compare-claims.ts';
import type { Claim, DigestReport } from './digest.ts';
import { sameMatter } from './find-names.ts';

export type OwnedClaim = Claim & { readonly report: DigestReport };

export type Supersession = {
  readonly attribute: string;
  readonly was: readonly OwnedClaim[];
  readonly now: readonly OwnedClaim[];
};

export type Dispute = {
  readonly attribute: string;
  /** At least two, by the first report of each; claims of one side agree. */
  readonly sides: readonly (readonly OwnedClaim[])[];
};

export type Settled = {
  /** With unsure figures given to what they must be of. */
  readonly claims: readonly OwnedClaim[];
  readonly supersessions: readonly Supersession[];
  readonly disputes: readonly Dispute[];
  /** Claims that say one thing, by who said it first. */
  readonly facts: readonly (readonly OwnedClaim[])[];
  /** The claims that say what this one says, itself among them. */
  readonly alike: (claim: OwnedClaim) => readonly OwnedClaim[];
};

/** `claims` by time, then report, then place in the text. */
export function settleClaims(claims: readonly OwnedClaim[]): Settled {
  const named = nameUnsure(linkCorrections(claims));
  const byKey = Map.groupBy(
    named.filter((claim) => readAttribute(claim.attribute).isSure),
    (claim) => `${readAttribute(claim.attribute).key}|${claim.unit}`,
  );
  const supersessions: Supersession[] = [];
  const disputes: Dispute[] = [];
  for (const group of byKey.values()) {
    for (const matter of mattersOf(group)) {
      const { superseded, disputed } = settleMatter(matter);
      if (superseded !== null) supersessions.push(superseded);
      if (disputed !== null) disputes.push(disputed);
    }
  }
  const facts = factsOf(byKey.values());
  const home = new Map(facts.flatMap((fact) => fact.map((claim) => [claim, fact] as const)));
  const alike = (claim: OwnedClaim) => home.get(claim) ?? [claim];
  return { claims: named, supersessions, disputes, facts, alike };
}

function factsOf(groups: Iterable<readonly OwnedClaim[]>): readonly (readonly OwnedClaim[])[] {
  const facts: OwnedClaim[][] = [];
  for (const group of groups) {
    const own: OwnedClaim[][] = [];
    for (const claim of group) {
      const isSame = (other: OwnedClaim) =>
        agree(other, claim) && sameMatter(other.anchor, claim.anchor);
      const fact = own.find((one) => one.some(isSame));
      if (fact === undefined) own.push([claim]);
      else fact.push(claim);
    }
    facts.push(...own);
  }
  return facts.sort((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0));
}

const as = (claim: OwnedClaim, attribute: string): OwnedClaim => ({ ...claim, attribute });

/** A correction may call its figure by another noun; the value it takes back says which it is. */
function linkCorrections(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const renamed = new Map<OwnedClaim, string>();
  for (const was of claims) {
    const reading = readAttribute(was.attribute);
    if (reading.side !== 'was') continue;
    const isKnown = claims.some((other) => {
      const { key, side } = readAttribute(other.attribute);
      return key === reading.key && side === null && other.unit === was.unit && agree(other, was);
    });
    if (isKnown) continue;
    const meant = claims.filter((other) => {
      const { isSure, side } = readAttribute(other.attribute);
      const isOther = other.reportId !== was.reportId && side === null;
      return isSure && isOther && other.unit === was.unit && agree(other, was);
    });
    const keys = new Set(meant.map((other) => readAttribute(other.attribute).key));
    const [key] = keys;
    if (key === undefined || keys.size > 1) continue;
    for (const claim of claims) {
      const isPair = claim.reportId === was.reportId && claim.sentence === was.sentence;
      const { side } = readAttribute(claim.attribute);
      if (isPair && side !== null && claim.unit === was.unit) renamed.set(claim, `${key}#${side}`);
    }
  }
  return claims.map((claim) => {
    const attribute = renamed.get(claim);
    return attribute === undefined ? claim : as(claim, attribute);
  });
}

/**
 * A figure that stands alone ("57.5% on Hanque.") is of what the others' only figure of its kind
 * is of, or of the one its own report is about; otherwise it stays unsure.
 */
function nameUnsure(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.map((claim) => {
    const { isSure, side, kind, hints, key } = readAttribute(claim.attribute);
    if (isSure || key.includes('@') || claim.sentence.length > 130) return claim;
    const isOwn = (other: OwnedClaim) => other.reportId === claim.reportId;
    const alike = claims.filter((other) => {
      const reading = readAttribute(other.attribute);
      return reading.isSure && !reading.key.includes('@past') && other.unit === claim.unit;
    });
    const own = new Set(alike.filter(isOwn).map((other) => readAttribute(other.attribute).key));
    const keys = new Set(
      alike
        .filter((other) => !isOwn(other) && readAttribute(other.attribute).side === null)
        .map((other) => readAttribute(other.attribute).key),
    );
    const hinted = [...keys].filter((one) => hints.includes(one));
    const meant = keys.size === 1 ? [...keys] : hinted.length === 1 ? hinted : [];
    const [name] = meant;
    if (name === undefined || own.has(name) || kind === '') return claim;
    const attribute = side === null ? name : `${name}#${side}`;
    return as(claim, attribute);
  });
}

/** Claims of one attribute that are about the same; of a report that gives several, none. */
function mattersOf(group: readonly OwnedClaim[]): readonly (readonly OwnedClaim[])[] {
  const matters: OwnedClaim[][] = [];
  for (const claim of group) {
    const home = matters.find((matter) =>
      matter.some((other) => other.reportId === claim.reportId || comparable(other, claim)),
    );
    if (home === undefined) matters.push([claim]);
    else home.push(claim);
  }
  return matters;
}

function settleMatter(matter: readonly OwnedClaim[]): {
  readonly superseded: Supersession | null;
  readonly disputed: Dispute | null;
} {
  const side = (claim: OwnedClaim) => readAttribute(claim.attribute).side;
  const taken = matter.filter((claim) => side(claim) === 'was');
  const fixes = matter.filter((claim) => side(claim) === 'now');
  const plain = single(matter.filter((claim) => side(claim) !== 'was'));
  const old = new Set<OwnedClaim>();
  const fresh = new Set<OwnedClaim>();
  for (const claim of plain) {
    if (side(claim) === 'now') continue;
    const fix = fixes.find((one) => replaces(one, claim, taken));
    const own = plain.find((one) => isOwnUpdate(one, claim));
    const by = fix ?? own;
    if (by === undefined) continue;
    old.add(claim);
    fresh.add(by);
  }
  const current = plain.filter((claim) => !old.has(claim));
  for (const claim of current) {
    if ([...fresh].some((one) => agree(one, claim))) fresh.add(claim);
  }
  const stated = fixes.find((fix) => taken.some((was) => isPairOf(was, fix)));
  const superseded =
    old.size > 0
      ? { was: [...old], now: [...fresh] }
      : stated === undefined
        ? null
        : { was: taken.filter((was) => isPairOf(was, stated)), now: [stated] };
  const attribute = readAttribute(matter[0]?.attribute ?? '').key;
  return {
    superseded: superseded === null ? null : { attribute, ...superseded },
    disputed: disputeOf(attribute, current),
  };
}

const isPairOf = (was: OwnedClaim, now: OwnedClaim) =>
  was.reportId === now.reportId && was.sentence === now.sentence && !agree(was, now);

/** A report that gives one thing several values is read as giving none. */
function single(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const byReport = Map.groupBy(claims, (claim) => claim.reportId);
  return claims.filter((claim) => {
    const own = byReport.get(claim.reportId) ?? [];
    return own.every((one) => agree(one, claim));
  });
}

/** Whether the correction `fix` takes `claim` back. */
function replaces(fix: OwnedClaim, claim: OwnedClaim, taken: readonly OwnedClaim[]): boolean {
  if (agree(fix, claim) || claim.reportId === fix.reportId) return false;
  const own = taken.filter((was) => was.reportId === fix.reportId);
  if (own.length > 0) return own.some((was) => agree(was, claim));
  return claim.at <= fix.at;
}

/** A later report of the same owner with another figure. */
function isOwnUpdate(later: OwnedClaim, claim: OwnedClaim): boolean {
  const isLater = later.report.owner === claim.report.owner && later.at > claim.at;
  return isLater && !agree(later, claim);
}

function disputeOf(attribute: string, current: readonly OwnedClaim[]): Dispute | null {
  const sides: OwnedClaim[][] = [];
  for (const claim of current) {
    const side = sides.find((one) => one.some((other) => agree(other, claim)));
    if (side === undefined) sides.push([claim]);
    else side.push(claim);
  }
  const contested = sides.filter((side) =>
    sides.some((other) => other !== side && other.some((a) => side.some((b) => differ(a, b)))),
  );
  return contested.length < 2 ? null : { attribute, sides: contested };
}

const differ = (a: OwnedClaim, b: OwnedClaim) =>
  a.report.owner !== b.report.owner && !agree(a, b) && comparable(a, b);
