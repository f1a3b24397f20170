// Only this file writes `nodes`: the serving processes, and the number of the last publication that
// each process shows. A node exists while it holds a connection; clocks are not compared, because
// they may be moved.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import type { Schema } from '../schema/schema.ts';
import { sqlOf, toTimestamp } from './db.ts';

export type NodeRow = Readonly<Selectable<Schema['nodes']>>;

/** Name of the one connection that a node always holds: the connection of its listener. */
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

/** Deletes all rows after a restore, because none of the stored nodes exists. */
export async function deleteAllNodes(db: Db): Promise<void> {
  await sqlOf(db).deleteFrom('nodes').execute();
}

export type ServingNode = NodeRow & {
  /** Whether the node holds its connection now. */
  readonly isConnected: boolean;
};

/** All stored nodes, oldest first. */
export async function listServingNodes(db: Db): Promise<readonly ServingNode[]> {
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

/** Clock offset of the newest connected node from its machine's clock, ms; 0 without a node. */
export async function readServedClockOffset(db: Db): Promise<number> {
  const nodes = await listServingNodes(db);
  return nodes.findLast((node) => node.isConnected)?.clock_offset_ms ?? 0;
}
