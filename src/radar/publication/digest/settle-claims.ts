// A story's claims as facts: which say the same, which were superseded in so many words or by
// their own owner, and which contradict each other.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { alignUnsure } from './align-unsure.ts';
import { agree, comparable, isSameFigure, isShared, readAttribute } from './compare-claims.ts';
import type { DigestReport, OwnedClaim } from './digest.ts';
import type { Dispute, Supersession } from './disputes.ts';
import { fillScope } from './fill-scope.ts';
import { isOtherTest, ownersIn, sameMatter } from './find-names.ts';
import { nameUnsure } from './name-unsure.ts';
import { oneCurrency } from './one-currency.ts';
import { weighDisputes } from './pairs/weigh-disputes.ts';
import { withProperNames } from './proper-names.ts';
import { correctionsIn, isPairOf, untold, withoutTakenBack } from './taken-back.ts';

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

/** `claims` of all `reports`, by time, then report, then place in the text. */
export function settleClaims(
  claims: readonly OwnedClaim[],
  reports: readonly DigestReport[],
): Settled {
  const proper = withProperNames(owning(claims));
  const scoped = fillScope(linkCorrections(nameDeals(withoutEchoes(placed(proper)))));
  const named = oneCurrency(alignUnsure(nameUnsure(scoped)));
  const byKey = Map.groupBy(
    named.filter((claim) => readAttribute(claim.attribute).isSure),
    (claim) => `${readAttribute(claim.attribute).key}|${claim.unit}`,
  );
  const supersessions: Supersession[] = [];
  const disputes: Dispute[] = [];
  for (const group of byKey.values()) {
    for (const matter of mattersOf(group)) {
      const { superseded, disputed } = settleMatter(matter, named);
      if (superseded !== null) supersessions.push(superseded);
      if (disputed !== null) disputes.push(disputed);
    }
  }
  const facts = factsOf(byKey.values());
  const home = new Map(facts.flatMap((fact) => fact.map((claim) => [claim, fact] as const)));
  const alike = (claim: OwnedClaim) => home.get(claim) ?? [claim];
  const corrections = correctionsIn(named);
  const standing = {
    claims: named,
    supersessions: [...supersessions, ...untold(corrections, supersessions, named)],
    disputes: withoutTwins(withoutTakenBack(disputes, corrections)),
  };
  const weighed = withoutTakenBack(weighDisputes(standing, reports), corrections);
  return { ...standing, disputes: weighed, facts, alike };
}

/** One difference told under two nouns is told once, under the one that more reports use. */
function withoutTwins(disputes: readonly Dispute[]): readonly Dispute[] {
  const size = (one: Dispute) => one.sides.reduce((sum, side) => sum + side.length, 0);
  const isTwin = (small: Dispute, large: Dispute) =>
    small.sides.every((side) =>
      large.sides.some((other) =>
        side.every((a) => other.some((b) => a.unit === b.unit && agree(a, b))),
      ),
    );
  return disputes.filter((one, index) => {
    const others = disputes.filter((other, place) => {
      const isLarger = size(other) > size(one) || (size(other) === size(one) && place < index);
      return other !== one && isLarger;
    });
    return !others.some((other) => isTwin(one, other));
  });
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

/** A product stands for its maker: whoever speaks of Acme may mean "Acme's Rivet". */
function owning(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const reports = new Set(claims.map((claim) => claim.report));
  const texts = [...reports].map(({ title, text }) => `${title}\n${text.slice(0, 1_500)}`);
  const owners = ownersIn(texts.join('\n'));
  if (owners.size === 0) return claims;
  return claims.map((claim) => {
    const names = claim.anchor.split(' ');
    const added = names
      .map((name) => owners.get(name))
      .filter((owner) => owner !== undefined && !names.includes(owner));
    if (added.length === 0) return claim;
    return { ...claim, anchor: `${claim.anchor} ${added.map((name) => `~${name}`).join(' ')}` };
  });
}

const olderMs = DAY_MS;

/** A sentence that names a day before the story tells of something else. */
function placed(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const first = claims.reduce((least, claim) => Math.min(least, claim.at), Number.MAX_VALUE);
  return claims.map((claim) => {
    const match = /@on:(\d{4}-\d\d-\d\d)/u.exec(claim.attribute);
    if (match === null) return claim;
    const isOld = Date.parse(match[1] ?? '') + DAY_MS < first - olderMs;
    return as(claim, claim.attribute.replace(match[0], isOld ? '@past' : ''));
  });
}

/** A piece published again would date its "Tuesday" anew. */
function withoutEchoes(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const seen = new Map<string, string>();
  return claims.filter((claim) => {
    if (claim.unit !== 'day') return true;
    const key = `${claim.report.owner}\n${claim.sentence}`;
    const first = seen.get(key) ?? claim.reportId;
    seen.set(key, first);
    return first === claim.reportId;
  });
}

const as = (claim: OwnedClaim, attribute: string): OwnedClaim => ({ ...claim, attribute });

/** A correction may call its figure by another noun; the value it takes back says which it is. */
function linkCorrections(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.flatMap((claim) => {
    const { side, key } = readAttribute(claim.attribute);
    if (side === null) return [claim];
    const pair = claims.filter(
      (one) => one.reportId === claim.reportId && one.sentence === claim.sentence,
    );
    const taken = pair.filter(
      (one) => readAttribute(one.attribute).side === 'was' && one.unit === claim.unit,
    );
    const meant = claims.filter((other) => {
      const reading = readAttribute(other.attribute);
      const isOther = other.reportId !== claim.reportId && reading.side === null;
      const isPlain = reading.isSure && isOther && !reading.key.includes('@past');
      return isPlain && taken.some((was) => was.unit === other.unit && agree(was, other));
    });
    const keys = new Set(meant.map((other) => readAttribute(other.attribute).key));
    if (keys.size === 0 || keys.has(key)) return [claim];
    const turn = claim.attribute.split('#')[1];
    return [...keys].map((one) => as(claim, `${one}#${turn}`));
  });
}

/** A deal's worth is what is paid where something is bought. */
function nameDeals(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const isBought = claims.some((claim) => /^price-paid(?![a-z-])/u.test(claim.attribute));
  if (!isBought) return claims;
  return claims.map((claim) => {
    const { name } = readAttribute(claim.attribute);
    return name === 'deal' ? as(claim, claim.attribute.replace('deal', 'price-paid')) : claim;
  });
}

/** Claims of one attribute that are about the same; of a report that gives several, none. */
function mattersOf(group: readonly OwnedClaim[]): readonly (readonly OwnedClaim[])[] {
  const matters: OwnedClaim[][] = [];
  for (const claim of group) {
    const home = matters.find((matter) =>
      matter.some((other) =>
        other.reportId === claim.reportId
          ? !isOtherTest(other.anchor, claim.anchor)
          : comparable(other, claim),
      ),
    );
    if (home === undefined) matters.push([claim]);
    else home.push(claim);
  }
  return matters;
}

function settleMatter(
  matter: readonly OwnedClaim[],
  all: readonly OwnedClaim[],
): { readonly superseded: Supersession | null; readonly disputed: Dispute | null } {
  const first = readAttribute(matter[0]?.attribute ?? '');
  const ofThis = all.filter(
    (one) =>
      readAttribute(one.attribute).side !== null &&
      readAttribute(one.attribute).name === first.name &&
      one.unit === matter[0]?.unit,
  );
  const taken = ofThis.filter((claim) => readAttribute(claim.attribute).side === 'was');
  const fixes = ofThis.filter((claim) => readAttribute(claim.attribute).side === 'now');
  const plain = single(
    matter.filter((claim) => readAttribute(claim.attribute).side !== 'was'),
    all,
  );
  const old = new Set<OwnedClaim>();
  const fresh = new Set<OwnedClaim>();
  for (const claim of plain) {
    if (readAttribute(claim.attribute).side === 'now') continue;
    const fix = fixes.find((one) => replaces(one, claim, taken, matter));
    const by = fix ?? plain.find((one) => isOwnUpdate(one, claim));
    if (by === undefined) continue;
    old.add(claim);
    fresh.add(by);
  }
  const current = plain.filter((claim) => !old.has(claim));
  for (const claim of current) {
    if ([...fresh].some((one) => agree(one, claim))) fresh.add(claim);
  }
  const stated = fixes.find(
    (fix) => matter.includes(fix) && taken.some((one) => isPairOf(one, fix)),
  );
  const superseded =
    old.size > 0
      ? { was: [...old], now: [...fresh] }
      : stated === undefined
        ? null
        : { was: taken.filter((was) => isPairOf(was, stated)), now: [stated] };
  return {
    superseded: superseded === null ? null : { attribute: first.key, ...superseded },
    disputed: disputeOf(first.key, current, (a, b) => differ(a, b) && !isAware(a, b, all)),
  };
}

/** A report that states the other's figure too, of whatever, does not contradict it. */
function isAware(a: OwnedClaim, b: OwnedClaim, all: readonly OwnedClaim[]): boolean {
  const states = (report: OwnedClaim, other: OwnedClaim) =>
    all.some((one) => {
      const isIt = one.reportId === report.reportId && one.unit === other.unit;
      return isIt && one !== report && (one.said === other.said || isSameFigure(one, other));
    });
  const writes = (report: OwnedClaim, other: OwnedClaim) =>
    other.said.length > 2 && !report.sentence.includes(other.said) && isWritten(report, other.said);
  return states(a, b) || states(b, a) || writes(a, b) || writes(b, a);
}

/** A figure may stand in a report though nobody knows what it is of there. */
function isWritten({ report }: OwnedClaim, said: string): boolean {
  const text = `${report.title}\n${report.text}`;
  const at = text.indexOf(said);
  return (
    at >= 0 &&
    /\d/u.test(said) &&
    !/[\d.]/u.test(text[at - 1] ?? '') &&
    !/\d/u.test(text[at + said.length] ?? '')
  );
}

/** A report that gives one thing several values is read as giving none. */
function single(claims: readonly OwnedClaim[], all: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const byReport = Map.groupBy(claims, (claim) => claim.reportId);
  return claims.filter((claim) => {
    const own = byReport.get(claim.reportId) ?? [];
    if (own.every((one) => agree(one, claim))) return true;
    // What another report states too is settled; the rest may still be one value.
    const left = own.filter((one) => !isShared(one, all) && !isOfTheDay(one));
    const isOne = own.every((one) => sameMatter(one.anchor, claim.anchor));
    return isOne && left.includes(claim) && left.every((one) => agree(one, claim));
  });
}

/** The day of the report itself is when something was announced. */
function isOfTheDay(claim: OwnedClaim): boolean {
  return claim.unit === 'day' && Math.abs(Date.parse(claim.value) - claim.at) < 1.5 * DAY_MS;
}

/** Whether the correction `fix` takes `claim` back; one that names no old figure, in its matter. */
function replaces(
  fix: OwnedClaim,
  claim: OwnedClaim,
  taken: readonly OwnedClaim[],
  matter: readonly OwnedClaim[],
): boolean {
  if (agree(fix, claim) || claim.reportId === fix.reportId) return false;
  const own = taken.filter((was) => was.reportId === fix.reportId);
  if (own.length > 0) return own.some((was) => agree(was, claim));
  const { isCorrection } = readAttribute(fix.attribute);
  return isCorrection && matter.includes(fix) && claim.at <= fix.at;
}

/** A later report of the same publisher with another figure. */
function isOwnUpdate(later: OwnedClaim, claim: OwnedClaim): boolean {
  const { report } = claim;
  const isSame =
    later.report.owner === report.owner && later.report.sourceName === report.sourceName;
  // A piece published again names its weekdays anew.
  return isSame && claim.unit !== 'day' && later.at > claim.at && !agree(later, claim);
}

function disputeOf(
  attribute: string,
  current: readonly OwnedClaim[],
  isContrary: (a: OwnedClaim, b: OwnedClaim) => boolean,
): Dispute | null {
  const sides: OwnedClaim[][] = [];
  for (const claim of current) {
    const side = sides.find((one) => one.some((other) => agree(other, claim)));
    if (side === undefined) sides.push([claim]);
    else side.push(claim);
  }
  const contested = sides.filter((side) =>
    sides.some((other) => other !== side && other.some((a) => side.some((b) => isContrary(a, b)))),
  );
  return contested.length < 2 ? null : { attribute, sides: contested };
}

const differ = (a: OwnedClaim, b: OwnedClaim) =>
  a.report.owner !== b.report.owner && !agree(a, b) && comparable(a, b);
