// A figure without a period is of the period that the other reports speak of, when they all speak
// of one: "net profit of 1.4 billion" beside "profit for the year".
import { readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';

const periods = /^(?:half|nine-months|q[1-4]|quarter|month|year|m\d\d?)$/u;
const rates = /^per-/u;
const spans = /^over-/u;

function without(key: string, pattern: RegExp): { readonly rest: string; readonly mark: string } {
  const [name = '', ...marks] = key.split('@');
  const mark = marks.find((one) => pattern.test(one)) ?? '';
  return { rest: [name, ...marks.filter((one) => one !== mark)].join('@'), mark };
}

export function fillScope(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return [periods, rates, spans].reduce((filled, pattern) => fill(filled, pattern), claims);
}

function fill(claims: readonly OwnedClaim[], pattern: RegExp): readonly OwnedClaim[] {
  const marks = new Map<string, Set<string>>();
  const parts = claims.map((claim) => {
    const part = without(readAttribute(claim.attribute).key, pattern);
    const slot = `${part.rest}|${claim.unit}`;
    if (part.mark !== '') marks.set(slot, (marks.get(slot) ?? new Set()).add(part.mark));
    return part;
  });
  return claims.map((claim, index) => {
    const part = parts[index];
    if (part === undefined || part.mark !== '') return claim;
    const [only, ...more] = marks.get(`${part.rest}|${claim.unit}`) ?? [];
    if (only === undefined || more.length > 0) return claim;
    const [name = '', ...others] = part.rest.split('@');
    const turn = claim.attribute.split('#')[1];
    const attribute = [name, only, ...others].join('@');
    return { ...claim, attribute: turn === undefined ? attribute : `${attribute}#${turn}` };
  });
}
