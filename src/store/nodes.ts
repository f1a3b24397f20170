// The processes that serve what is public, and how far each has come: the only writer of `nodes`.
// Alive is who holds a connection, not whose clock agrees: clocks may be moved, connections not.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type NodeRow = Readonly<Selectable<Schema['nodes']>>;

/** Name of the one connection that a node always holds (its listener's). */
export const nodeApplicationName = (nodeId: string): string => `radar node ${nodeId}`;

export async function saveNode(db: Db, node: NodeRow): Promise<void> {
  const row = {
    ...node,
    parts: [...node.parts],
    started_at: toTimestamp(node.started_at),
    seen_at: toTimestamp(node.seen_at),
  };
  await sqlOf(db)
    .insertInto('nodes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function deleteNode(db: Db, id: string): Promise<void> {
  await sqlOf(db).deleteFrom('nodes').where('id', '=', id).execute();
}

/** Nodes that hold a connection now. */
export async function liveNodes(db: Db): Promise<readonly NodeRow[]> {
  return sqlOf(db)
    .selectFrom('nodes')
    .selectAll()
    .where(
      sql<boolean>`'radar node ' || id IN (
        SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`,
    )
    .orderBy('started_at')
    .execute();
}

/** Forgets nodes that are gone: no connection, and not seen since. */
export async function deleteDeadNodes(db: Db, seenBefore: number): Promise<void> {
  await sqlOf(db)
    .deleteFrom('nodes')
    .where(sql<boolean>`seen_at < ${toTimestamp(seenBefore)}`)
    .where(
      sql<boolean>`'radar node ' || id NOT IN (
        SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`,
    )
    .execute();
}
