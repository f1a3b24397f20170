// The processes that serve what is public, and how far each has come: the only writer of `nodes`.
// Alive is who holds a connection, not whose clock agrees: clocks may be moved, connections not.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import type { Schema } from '../schema/schema.ts';
import { sqlOf, toTimestamp } from './db.ts';

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

export async function deleteNodes(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(db)
    .deleteFrom('nodes')
    .where('id', 'in', [...ids])
    .execute();
}

/** For a database that came from elsewhere: none of those nodes is here. */
export async function forgetNodes(db: Db): Promise<void> {
  await sqlOf(db).deleteFrom('nodes').execute();
}

export type ServingNode = NodeRow & {
  /** Whether it holds its connection now. */
  readonly isConnected: boolean;
};

/** All nodes that have not signed off, oldest first. */
export async function servingNodes(db: Db): Promise<readonly ServingNode[]> {
  return sqlOf(db)
    .selectFrom('nodes')
    .selectAll()
    .select(
      sql<boolean>`'radar node ' || id IN (
        SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`.as(
        'isConnected',
      ),
    )
    .orderBy('started_at')
    .execute();
}

/** How far the clock of a node that serves now is from the machine's, ms; 0 without one. */
export async function servedClockOffset(db: Db): Promise<number> {
  const nodes = await servingNodes(db);
  return nodes.findLast((node) => node.isConnected)?.clock_offset_ms ?? 0;
}
