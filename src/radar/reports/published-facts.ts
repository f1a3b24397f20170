// What earlier dailies told, and whether something has really happened since: an event comes back
// only with facts that were not told, or with many owners who had not reported it. Pure.
import type { ContentEntry } from '../../store/radar/publication/report-content.ts';
import { ownersOf, type Report } from './events.ts';
import type { ReportRules } from './report-rules.ts';

/** An entry of an earlier daily. */
export type PublishedEntry = { readonly date: string; readonly entry: ContentEntry };

export type EarlierCoverage = {
  /** The first daily that told of it, and the items that it told it by. */
  readonly since: { readonly date: string; readonly itemIds: readonly string[] };
  readonly itemIds: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
};

/** Per event, what was told of it; `events` knows the event of every item, as it is now. */
export function coverageOf(
  published: readonly PublishedEntry[],
  events: ReadonlyMap<string, string>,
): ReadonlyMap<string, EarlierCoverage> {
  const coverage = new Map<string, EarlierCoverage>();
  for (const { date, entry } of [...published].sort((a, b) => (a.date < b.date ? -1 : 1))) {
    const itemIds = [entry.itemId, ...entry.others.map((other) => other.itemId)];
    const owners = [entry.owner, ...entry.others.map((other) => other.owner)];
    // A story that was split since is several events, each of which was told.
    for (const key of new Set(itemIds.flatMap((id) => events.get(id) ?? []))) {
      const before = coverage.get(key);
      coverage.set(key, {
        since: before?.since ?? entry.since ?? { date, itemIds: [entry.itemId] },
        itemIds: new Set([...(before?.itemIds ?? []), ...itemIds]),
        owners: new Set([...(before?.owners ?? []), ...owners]),
      });
    }
  }
  return coverage;
}

/** `facts` of an item, as far as they are known. */
export function isDevelopment(
  reports: readonly Report[],
  earlier: EarlierCoverage,
  facts: ReadonlyMap<string, ReadonlySet<string>>,
  { newFacts, newOwners }: ReportRules['daily']['development'],
): boolean {
  const fresh = reports.filter(({ id }) => !earlier.itemIds.has(id));
  const newOwnersOf = [...ownersOf(fresh)].filter((owner) => !earlier.owners.has(owner));
  if (newOwnersOf.length >= newOwners) return true;
  const known = new Set([...earlier.itemIds].flatMap((id) => [...(facts.get(id) ?? [])]));
  const newFactSet = new Set(fresh.flatMap(({ id }) => [...(facts.get(id) ?? [])]));
  return [...newFactSet].filter((fact) => !known.has(fact)).length >= newFacts;
}

/** What a stored list of claims states for certain: of what kind, and how much. */
export function factsOf(claims: unknown): ReadonlySet<string> {
  if (!Array.isArray(claims)) return new Set();
  return new Set(
    claims.flatMap((claim: unknown) => {
      const { attribute, value } = claim as Record<string, unknown>;
      if (typeof attribute !== 'string' || typeof value !== 'string') return [];
      const isSure = !attribute.startsWith('?') && !attribute.includes('@past');
      // About whom it is, is the story's; the rest is how one report happens to put it.
      const [kind = ''] = attribute.split(/[@#]/);
      const [plain = ''] = value.replace(/^[≥≤~]/, '').split(/[|±]/);
      return isSure ? [`${kind} ${plain}`] : [];
    }),
  );
}
