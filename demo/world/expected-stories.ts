// Writes the ground truth of every entry: its real event, and the planted contradictions and
// revisions. Evaluations compare with this truth; no publisher shows it.
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { publisherOf } from './publishers.ts';
import type { Category, DemoWorld, Plant, Value, WorldEntry, WorldEvent } from './world-model.ts';

export type PlantedFigure = {
  /** Id of the contradiction, shared by all its entries. */
  readonly id: string;
  readonly kind: 'contradiction' | 'revision';
  /** The company of the figure. */
  readonly anchor: string;
  /** Name of the slot: amount, duration, users … */
  readonly attribute: string;
  readonly unit: string;
  /** The statement of each entry. The two sides have different owners. */
  readonly statements: readonly {
    readonly entryKey: string;
    readonly owner: string;
    readonly value: number;
    /** Whether the entry corrects the earlier figure. */
    readonly isCorrection: boolean;
  }[];
};

export type EntryTruth = {
  readonly entryKey: string;
  readonly publisherId: string;
  readonly eventId: string;
  readonly storylineId: string;
  readonly category: Category;
  readonly kind: WorldEntry['kind'];
  /** The type of event: funding, outage …; null for singles and roundups. */
  readonly eventType: string | null;
  readonly plantedContradictions: readonly string[];
  readonly copyOf: string | null;
  readonly republicationOf: string | null;
  readonly withdrawnAt: number | null;
};

export type Truth = {
  readonly entries: readonly EntryTruth[];
  readonly planted: readonly PlantedFigure[];
};

export function truthOf(world: DemoWorld): Truth {
  const byEvent = Map.groupBy(world.entries, (entry) => entry.eventId);
  const planted = world.events.flatMap((event) => {
    const figure = findPlanted(event, byEvent.get(event.id) ?? []);
    return figure === null ? [] : [figure];
  });
  const types = new Map(world.events.map((event) => [event.id, event.type]));
  const byEntry = new Map<string, string[]>();
  for (const figure of planted) {
    for (const { entryKey } of figure.statements) {
      byEntry.set(entryKey, [...(byEntry.get(entryKey) ?? []), figure.id]);
    }
  }
  const entries = world.entries.map((entry) => ({
    entryKey: entry.key,
    publisherId: entry.publisherId,
    eventId: entry.eventId,
    storylineId: entry.storylineId,
    category: entry.category,
    kind: entry.kind,
    eventType: types.get(entry.eventId) ?? null,
    plantedContradictions: byEntry.get(entry.key) ?? [],
    copyOf: entry.copyOf,
    republicationOf: entry.republicationOf,
    withdrawnAt: entry.withdrawnAt,
  }));
  return { entries, planted };
}

/** Null when the texts do not show the contradiction, because not both sides state a figure. */
function findPlanted(event: WorldEvent, entries: readonly WorldEntry[]): PlantedFigure | null {
  if (event.plantedContradiction === null) return null;
  const { slot, kind } = event.plantedContradiction;
  const statements = entries.flatMap((entry) => {
    const value = entry.figures[slot];
    if (value === undefined || entry.republicationOf !== null) return [];
    const owner = publisherOf(entry.publisherId).owner;
    const isCorrection = entry.correctsEarlier;
    return [{ entryKey: entry.key, owner, value: numberOf(value), isCorrection }];
  });
  if (new Set(statements.map((statement) => statement.value)).size < 2) return null;
  const unit = unitOf(requirePresent(event.facts[slot], slot), event.plantedContradiction);
  const id = `p-${event.id}`;
  return { id, kind, anchor: event.company.name, attribute: slot, unit, statements };
}

function numberOf(value: Value): number {
  return value.kind === 'text' ? Number.NaN : value.value;
}

function unitOf(value: Value, plant: Plant): string {
  return value.kind === 'money' ? value.currency : plant.other.kind;
}
