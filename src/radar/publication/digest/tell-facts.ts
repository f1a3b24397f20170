// One sentence for each fact that is new: quoted from the report that says it best, with every
// report that says the same. What is contested or superseded is told elsewhere and not as a fact.

import { cue } from '../../language/cues.ts';
import { readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';
import { type Lead, mayStand } from './pick-lead.ts';
import type { Settled } from './settle-claims.ts';

export type ToldFact = {
  readonly text: string;
  readonly reportIds: readonly string[];
  readonly at: number;
};

type Telling = {
  readonly language: string;
  readonly settled: Settled;
  readonly lead: Lead | null;
  /** Sentences at most. */
  readonly room: number;
  /** Texts that the digest tells already. */
  readonly kept: ReadonlySet<string>;
};

type Candidate = ToldFact & {
  readonly facts: readonly (readonly OwnedClaim[])[];
  readonly rank: number;
};

/** In order of time. */
export function tellFacts(telling: Telling): readonly ToldFact[] {
  const { settled, lead, room, kept } = telling;
  const shut = shutClaims(settled);
  const quotes = quotesOf(telling, shut);
  const told = new Set<readonly OwnedClaim[]>();
  for (const claim of settled.claims) {
    if (claim.reportId === lead?.reportId && claim.sentence === lead.text) {
      told.add(settled.alike(claim));
    }
  }
  const candidates: Candidate[] = [];
  for (const fact of settled.facts) {
    const isShut = fact.some((claim) => shut.has(claim));
    const isTold = told.has(fact) || isShut || !isTellable(fact, lead);
    const quote = isTold ? undefined : quotes.get(fact)?.[0];
    if (quote === undefined || quote.text === lead?.text) continue;
    for (const other of quote.facts) told.add(other);
    const owners = new Set(fact.map((claim) => claim.report.owner)).size;
    const reportIds = idsOf(quote.reportId, fact);
    const rank = owners + (kept.has(quote.text) ? 1 : 0);
    candidates.push({ text: quote.text, reportIds, at: quote.at, facts: quote.facts, rank });
  }
  return chosen(candidates, room).map(({ text, reportIds, at }) => ({ text, reportIds, at }));
}

function chosen(candidates: readonly Candidate[], room: number): readonly Candidate[] {
  const best = candidates.toSorted((a, b) => b.rank - a.rank || a.at - b.at);
  const kept = new Set(best.slice(0, Math.max(0, room)));
  return candidates.filter((one) => kept.has(one));
}

/** What belongs to a contradiction or was superseded. */
function shutClaims(settled: Settled): ReadonlySet<OwnedClaim> {
  return new Set([
    ...settled.disputes.flatMap((one) => one.sides.flat()),
    ...settled.supersessions.flatMap((one) => [...one.was, ...one.now]),
  ]);
}

/** A day in passing, or last year's figure, is no news of its own. */
function isTellable(fact: readonly OwnedClaim[], lead: Lead | null): boolean {
  const [first] = fact;
  if (first === undefined || lead === null) return first !== undefined;
  const { key, side } = readAttribute(first.attribute);
  return side === null && !key.includes('@past') && first.unit !== 'day';
}

type Quote = {
  readonly text: string;
  readonly reportId: string;
  readonly at: number;
  readonly facts: readonly (readonly OwnedClaim[])[];
  readonly isDependent: boolean;
};

/** By fact, the sentences that state it, best first. */
function quotesOf(
  telling: Telling,
  shut: ReadonlySet<OwnedClaim>,
): ReadonlyMap<readonly OwnedClaim[], readonly Quote[]> {
  const { language, settled } = telling;
  const found = new Map<readonly OwnedClaim[], Quote[]>();
  const bySentence = Map.groupBy(settled.claims, (one) => `${one.reportId}\n${one.sentence}`);
  for (const claims of bySentence.values()) {
    const [first] = claims;
    if (first === undefined || claims.some((claim) => shut.has(claim))) continue;
    const { report, sentence: text } = first;
    if (!mayStand(report, text, language)) continue;
    const facts = [...new Set(claims.map((claim) => settled.alike(claim)))];
    const quote = { text, reportId: report.id, at: report.at, facts };
    const isDependent = dependent.test(text);
    for (const fact of facts) {
      found.set(fact, [...(found.get(fact) ?? []), { ...quote, isDependent }]);
    }
  }
  for (const [fact, quotes] of found) found.set(fact, quotes.toSorted(bySense));
  return found;
}

const dependent = cue('dependent', 'iu');

function bySense(a: Quote, b: Quote): number {
  return Number(a.isDependent) - Number(b.isDependent) || a.at - b.at;
}

function idsOf(quoted: string, fact: readonly OwnedClaim[]): readonly string[] {
  return [...new Set([quoted, ...fact.map((claim) => claim.reportId)])];
}
