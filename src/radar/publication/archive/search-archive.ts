// Finds public items of any age that match a query by the search contract, newest first. Ranges of
// time are searched one after another, so a common word does not read the whole archive.
import { openSemaphore } from '../../../kernel/concurrency/semaphore.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { searchArchiveRows } from '../../../store/radar/publication/archive-index.ts';
import { withinDatabaseTimeout } from '../await-database.ts';
import type { PublicItem } from '../item.ts';
import { fromPublicRow } from '../public-row.ts';
import { matchesParts, searchTextOf } from '../search/match.ts';
import type { TextQuery } from '../search/query.ts';
import { termsQuery } from './terms.ts';

export type ArchivePosition = { readonly at: number; readonly id: string };

export type ArchiveQuery = {
  readonly q: TextQuery;
  /** Epoch ms, inclusive; 0: from the first item. */
  readonly from: number;
  readonly before: ArchivePosition;
  readonly category: string | null;
  readonly sourceName: string | null;
  readonly language: string | null;
  readonly limit: number;
};

export type ArchiveHits =
  | {
      readonly kind: 'found';
      readonly items: readonly PublicItem[];
      /** The position of the last item; null: no older item matches. */
      readonly next: ArchivePosition | null;
    }
  /** The query has only single letters or symbols, which the index does not hold. */
  | { readonly kind: 'too_short' };

/** The first ranges end at these ages. The last range has all older items. */
const RANGES_MS = [30 * DAY_MS, 180 * DAY_MS, 730 * DAY_MS];
/** Maximum number of batches per range. The exact comparison can reject all rows of a batch. */
const BATCHES_MAX = 6;

/** Concurrent searches of one process. */
const SEARCHES_MAX = 4;
const slots = openSemaphore(SEARCHES_MAX);

/** Rejects when the database does not respond within the time limit of readers' requests. */
export async function findArchivedItems(
  world: World,
  db: Db,
  query: ArchiveQuery,
): Promise<ArchiveHits> {
  const search = async () => {
    const release = await slots.acquire();
    try {
      return await searchArchive(db, query);
    } finally {
      release();
    }
  };
  return withinDatabaseTimeout(world, search());
}

async function searchArchive(db: Db, query: ArchiveQuery): Promise<ArchiveHits> {
  const terms = termsQuery(query.q);
  if (terms === null) return { kind: 'too_short' };
  const items: PublicItem[] = [];
  let { before } = query;
  const starts = RANGES_MS.map((ms) => query.before.at - ms).filter(
    (startAt) => startAt > query.from,
  );
  for (const from of [...starts, query.from]) {
    for (let batch = 1; ; batch += 1) {
      const rows = await searchArchiveRows(db, { ...query, terms, from, before });
      const records = rows.map(fromPublicRow);
      for (const item of records) {
        if (!matchesParts(searchTextOf(item), query.q.parts)) continue;
        items.push(item);
        if (items.length === query.limit) return { kind: 'found', items, next: positionOf(item) };
      }
      const lastRow = records.at(-1);
      if (lastRow === undefined || rows.length < query.limit) break;
      before = positionOf(lastRow);
      if (batch === BATCHES_MAX) return { kind: 'found', items, next: before };
    }
    before = { at: from, id: '' };
  }
  return { kind: 'found', items, next: null };
}

const positionOf = ({ timelineAt, id }: PublicItem): ArchivePosition => ({ at: timelineAt, id });
