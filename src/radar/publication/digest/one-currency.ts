// Amounts of one thing in two currencies are compared by what the rates between them have been in
// recent years: only a difference that no such rate explains is one.
import { readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';

/** One US dollar in each: the lowest and the highest of 2023 to 2026, with a little room. */
const perDollar: Readonly<Record<string, readonly [number, number]>> = {
  ...{ USD: [1, 1], CNY: [6.6, 7.5], EUR: [0.82, 0.99], GBP: [0.71, 0.84], JPY: [125, 165] },
  ...{ HKD: [7.7, 7.9], KRW: [1200, 1500], INR: [79, 92], AUD: [1.4, 1.65], CAD: [1.3, 1.48] },
  SGD: [1.25, 1.4],
};

const bounds = /^(?<bound>[~≥≤]?)(?<value>[\d.e+-]+)\|(?<low>[\d.e+-]+)\.\.(?<high>[\d.e+-]+)$/u;

/** Claims with the currency that most reports use for each attribute; `said` stays as it was. */
export function oneCurrency(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const slots = Map.groupBy(
    claims.filter(isMoney),
    ({ attribute }) => readAttribute(attribute).key,
  );
  const main = new Map<string, string>();
  for (const [key, group] of slots) {
    const reports = Map.groupBy(group, ({ unit }) => unit ?? '');
    if (reports.size < 2) continue;
    const counted = [...reports].map(([unit, own]) => ({
      ...{ unit, count: new Set(own.map(({ reportId }) => reportId)).size },
    }));
    counted.sort((a, b) => b.count - a.count || a.unit.localeCompare(b.unit));
    main.set(key, counted[0]?.unit ?? '');
  }
  if (main.size === 0) return claims;
  return claims.flatMap((claim) => {
    const { key } = readAttribute(claim.attribute);
    const unit = main.get(key);
    if (unit === undefined || !isMoney(claim) || claim.unit === unit) return [claim];
    // Whoever gives the sum in both has converted it already.
    const isTwice = (slots.get(key) ?? []).some(
      (other) => other.reportId === claim.reportId && other.unit === unit,
    );
    return isTwice ? [claim] : [converted(claim, unit)];
  });
}

/** Of today's whole thing: what is told of a past sum is too little to be sure whose it is. */
function isMoney({ unit, attribute }: OwnedClaim): boolean {
  const { isSure, key } = readAttribute(attribute);
  return unit !== null && perDollar[unit] !== undefined && isSure && !/@(?:past|part)\b/u.test(key);
}

function converted(claim: OwnedClaim, unit: string): OwnedClaim {
  const from = perDollar[claim.unit ?? ''];
  const to = perDollar[unit];
  const parts = bounds.exec(claim.value)?.groups;
  if (from === undefined || to === undefined || parts === undefined) return claim;
  const [low, high] = [
    Number(parts.low) * (to[0] / from[1]),
    Number(parts.high) * (to[1] / from[0]),
  ];
  const short = (value: number) => String(Number(value.toPrecision(8)));
  const value = `~${short((low + high) / 2)}|${short(low)}..${short(high)}`;
  return { ...claim, unit, value };
}
