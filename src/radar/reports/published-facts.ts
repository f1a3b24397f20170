// Finds the earlier coverage of events in dailies, and whether an event has developed since. An
// event returns only with new facts, or with many owners that had not reported it. All functions
// are pure.
import type { ContentEntry } from '../../store/radar/publication/report-content.ts';
import { ownersOf, type Report } from './events.ts';
import type { ReportRules } from './report-rules.ts';

/** An entry of an earlier daily. */
export type PublishedEntry = { readonly date: string; readonly entry: ContentEntry };

export type EarlierCoverage = {
  /** The first daily with the event, and the items of its entry there. */
  readonly since: { readonly date: string; readonly itemIds: readonly string[] };
  readonly itemIds: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
};

/** Coverage by event. `events` has the current event of every item. */
export function coverageOf(
  published: readonly PublishedEntry[],
  events: ReadonlyMap<string, string>,
): ReadonlyMap<string, EarlierCoverage> {
  const coverage = new Map<string, EarlierCoverage>();
  for (const { date, entry } of [...published].sort((a, b) => (a.date < b.date ? -1 : 1))) {
    const itemIds = [entry.itemId, ...entry.others.map((other) => other.itemId)];
    const owners = [entry.owner, ...entry.others.map((other) => other.owner)];
    // A story that was split later is several events, all of which were published.
    for (const key of new Set(itemIds.flatMap((id) => events.get(id) ?? []))) {
      const earlierCoverage = coverage.get(key);
      coverage.set(key, {
        since: earlierCoverage?.since ?? entry.since ?? { date, itemIds: [entry.itemId] },
        itemIds: new Set([...(earlierCoverage?.itemIds ?? []), ...itemIds]),
        owners: new Set([...(earlierCoverage?.owners ?? []), ...owners]),
      });
    }
  }
  return coverage;
}

/** True when the event has enough new owners or new facts. `facts`: the facts by item. */
export function isDevelopment(
  reports: readonly Report[],
  earlier: EarlierCoverage,
  facts: ReadonlyMap<string, ReadonlySet<string>>,
  { newFacts, newOwners }: ReportRules['daily']['development'],
): boolean {
  const newReports = reports.filter(({ id }) => !earlier.itemIds.has(id));
  const newOwnersOfEvent = [...ownersOf(newReports)].filter((owner) => !earlier.owners.has(owner));
  if (newOwnersOfEvent.length >= newOwners) return true;
  const earlierFacts = new Set([...earlier.itemIds].flatMap((id) => [...(facts.get(id) ?? [])]));
  const factsOfNewReports = new Set(newReports.flatMap(({ id }) => [...(facts.get(id) ?? [])]));
  return [...factsOfNewReports].filter((fact) => !earlierFacts.has(fact)).length >= newFacts;
}

/**
 * The facts in a stored list of claims, as `measure value`. Scopes and units are excluded, because
 * reports word them differently. Claims without a measure, about the past, or replaced by a
 * correction in the same report are not facts.
 */
export function factsOf(claims: unknown): ReadonlySet<string> {
  if (!Array.isArray(claims)) return new Set();
  return new Set(
    claims.flatMap((claim: StoredClaim) => {
      const { measure, scopes, value, correction } = claim;
      if (typeof measure !== 'string' || scopes?.includes('past')) return [];
      if (correction?.side === 'previous') return [];
      const statedValue = value?.kind === 'day' ? value.day : value?.middle;
      return statedValue === undefined ? [] : [`${measure} ${statedValue}`];
    }),
  );
}

/**
 * The fields of a claim that this module uses. Rows may come from an earlier version of the rules.
 */
type StoredClaim = {
  readonly measure?: string | null;
  readonly scopes?: readonly string[];
  readonly value?: { readonly kind?: string; readonly middle?: number; readonly day?: string };
  readonly correction?: { readonly side?: string } | null;
};
