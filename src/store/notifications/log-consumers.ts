// Only this file writes `log_consumers`: the position of each consumer in `publication_log`. A
// consumer writes its position and its result in one transaction, so a killed process repeats
// nothing.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { sqlOf } from '../platform/db.ts';
import {
  type PublicationHead,
  readPublicationHead,
} from '../radar/publication/publication-head.ts';
import type { DocumentKind } from '../schema/stories.ts';

export type LogEntry = {
  readonly seq: number;
  readonly kind: 'item' | DocumentKind;
  readonly key: string;
};

/** At most 500 rows of the log are read per batch. */
const BATCH = 500;

export type LogBatch = {
  /** The last change of each subject, in the order of the first changes. */
  readonly entries: readonly LogEntry[];
  /** More rows exist, so the next batch can be read at once. */
  readonly hasMore: boolean;
  /** The database was restored, so the position was moved to the head without reading entries. */
  readonly isRestored: boolean;
};

/**
 * Locks the consumer's row for the transaction, reads the next batch, and moves the position.
 * Null: another process has locked the row. A new consumer starts at the head, and so does a
 * consumer with a position in another epoch.
 */
export async function readNextBatch(world: World, tx: Db, name: string): Promise<LogBatch | null> {
  const head = await readPublicationHead(world, tx);
  await insertPosition(tx, name, head);
  const position = await sqlOf(tx)
    .selectFrom('log_consumers')
    .select(['epoch', 'seq'])
    .where('name', '=', name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (position === undefined) return null;
  if (position.epoch !== head.epoch || position.seq > head.seq) {
    await movePosition(tx, name, head);
    return { entries: [], hasMore: false, isRestored: true };
  }
  const rows = await sqlOf(tx)
    .selectFrom('publication_log')
    .select(['seq', 'key', sql<LogEntry['kind']>`kind`.as('kind')])
    .where('seq', '>', position.seq)
    .orderBy('seq')
    .limit(BATCH)
    .execute();
  const lastRow = rows.at(-1);
  if (lastRow === undefined) return { entries: [], hasMore: false, isRestored: false };
  await movePosition(tx, name, { epoch: head.epoch, seq: lastRow.seq });
  const newestRows = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row]));
  return { entries: [...newestRows.values()], hasMore: rows.length === BATCH, isRestored: false };
}

async function insertPosition(tx: Db, name: string, head: PublicationHead): Promise<void> {
  await sqlOf(tx)
    .insertInto('log_consumers')
    .values({ name, epoch: head.epoch, seq: head.seq })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function movePosition(tx: Db, name: string, head: PublicationHead): Promise<void> {
  await sqlOf(tx)
    .updateTable('log_consumers')
    .set({ epoch: head.epoch, seq: head.seq })
    .where('name', '=', name)
    .execute();
}

/** Checks without a lock whether the log has rows after the position. */
export async function isConsumerBehind(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    SELECT coalesce(
      (SELECT c.epoch <> h.epoch OR c.seq < h.seq FROM log_consumers c, publication_head h
       WHERE c.name = ${name}), true) AS behind`.execute(sqlOf(db));
  return rows[0]?.behind ?? true;
}
