// Only this file writes `story_assignments`: the assignment log with its reasons. Rows are only
// added. Their numbers have no gap, because a writer holds the lock of `story_head`.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredAssignment = Readonly<Selectable<Schema['story_assignments']>>;

export async function appendAssignments(
  tx: Db,
  assignments: readonly StoredAssignment[],
): Promise<void> {
  if (assignments.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_assignments')
    .values(
      assignments.map((row) => ({
        ...row,
        at: toTimestamp(row.at),
        features: JSON.stringify(row.features),
      })),
    )
    .execute();
}

/** At most `limit` assignments after the number `seq`, in order. */
export async function listAssignmentsAfter(
  db: Db,
  seq: number,
  limit: number,
): Promise<readonly StoredAssignment[]> {
  return sqlOf(db)
    .selectFrom('story_assignments')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** All items that were added to a story or left it, oldest first. */
export async function listAssignmentsOfStory(
  db: Db,
  storyId: string,
): Promise<readonly StoredAssignment[]> {
  return sqlOf(db)
    .selectFrom('story_assignments')
    .selectAll()
    .where((where) =>
      where.or([where('story_id', '=', storyId), where('from_story_id', '=', storyId)]),
    )
    .orderBy('seq')
    .execute();
}

export async function listAssignmentsOfAction(
  db: Db,
  actionId: string,
): Promise<readonly StoredAssignment[]> {
  return sqlOf(db)
    .selectFrom('story_assignments')
    .selectAll()
    .where('action_id', '=', actionId)
    .orderBy('seq')
    .execute();
}

/** The last log entry of each of these items, which has the reason of its assignment. */
export async function readLastAssignments(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, StoredAssignment>> {
  if (itemIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('story_assignments')
    .selectAll()
    .distinctOn('item_id')
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .orderBy('item_id')
    .orderBy('seq', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.item_id, row]));
}
