// Only this file writes `channels`: destinations of notifications. The send times of a channel are
// stored in its row, so that all processes share its rate limit.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type ChannelRow = Readonly<Selectable<Schema['channels']>>;

export async function insertChannel(db: Db, row: ChannelRow): Promise<void> {
  await sqlOf(db)
    .insertInto('channels')
    .values({
      id: row.id,
      kind: row.kind,
      name: row.name,
      secret: row.secret,
      label: row.label,
      state: row.state,
      reason: row.reason,
      broken_at: toTimestampOrNull(row.broken_at),
      resumed_at: toTimestampOrNull(row.resumed_at),
      when_unsure: row.when_unsure,
      dead_letters: row.dead_letters,
      arrivals: row.arrivals,
      next_at: toTimestampOrNull(row.next_at),
      version: row.version,
      created_at: toTimestamp(row.created_at),
    })
    .execute();
}

/** Oldest first. */
export async function listChannelRows(db: Db): Promise<readonly ChannelRow[]> {
  return sqlOf(db).selectFrom('channels').selectAll().orderBy('created_at').orderBy('id').execute();
}

export async function findChannelRow(db: Db, id: string): Promise<ChannelRow | null> {
  const row = await sqlOf(db)
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Null: the channel does not exist, or another process has locked it. */
export async function lockChannel(tx: Db, id: string): Promise<ChannelRow | null> {
  const row = await sqlOf(tx)
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

/** False: the channel does not exist. */
export async function deleteChannel(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await sqlOf(db)
    .deleteFrom('channels')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Channels that may send now and have due deliveries, longest due first. */
export async function listReadyChannels(db: Db, now: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT c.id FROM channels c
    CROSS JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.channel_id = c.id AND d.state IN ('waiting', 'sending')
        AND d.due_at <= ${instant(now)}
        AND (d.claimed_until IS NULL OR d.claimed_until <= ${instant(now)})
      ORDER BY d.due_at LIMIT 1
    ) due
    WHERE c.state = 'on' AND (c.next_at IS NULL OR c.next_at <= ${instant(now)})
    ORDER BY due.due_at, c.id`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

/** Stores the arrival times of the rate limits, and the time of the next permitted request. */
export async function savePace(
  tx: Db,
  id: string,
  pace: { readonly arrivals: readonly number[]; readonly nextAt: number | null },
): Promise<void> {
  await sqlOf(tx)
    .updateTable('channels')
    .set({ arrivals: [...pace.arrivals], next_at: toTimestampOrNull(pace.nextAt) })
    .where('id', '=', id)
    .execute();
}

/** Pauses a channel, as its service requires. A longer pause that is stored already stays. */
export async function pauseChannel(db: Db, id: string, until: number): Promise<void> {
  await sql`UPDATE channels SET next_at = greatest(next_at, ${instant(until)})
    WHERE id = ${id}`.execute(sqlOf(db));
}

export async function resetDeadLetters(db: Db, id: string): Promise<void> {
  await sqlOf(db)
    .updateTable('channels')
    .set({ dead_letters: 0 })
    .where('id', '=', id)
    .where('dead_letters', '>', 0)
    .execute();
}

/** Counts a final failure; returns the number of final failures in a row, this one included. */
export async function addDeadLetter(db: Db, id: string): Promise<number> {
  const row = await sqlOf(db)
    .updateTable('channels')
    .set((eb) => ({ dead_letters: eb('dead_letters', '+', 1) }))
    .where('id', '=', id)
    .returning('dead_letters')
    .executeTakeFirst();
  return row?.dead_letters ?? 0;
}

export async function markChannelBroken(
  db: Db,
  id: string,
  { reason, at }: { readonly reason: string; readonly at: number },
): Promise<void> {
  await sqlOf(db)
    .updateTable('channels')
    .set((eb) => ({
      state: 'broken',
      reason,
      broken_at: toTimestamp(at),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'on')
    .execute();
}

/**
 * False: the version has changed, or the channel does not exist. A channel that is switched on
 * sends its held deliveries for one day after `now`.
 */
export async function setChannelState(
  db: Db,
  { id, version }: { readonly id: string; readonly version: number },
  state: 'on' | 'off',
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('channels')
    .set((eb) => ({
      state,
      reason: null,
      broken_at: null,
      resumed_at: state === 'on' ? toTimestamp(now) : null,
      dead_letters: 0,
      next_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The service changed the channel's address, for example a group that became a supergroup. */
export async function replaceChannelSecret(db: Db, id: string, secret: Buffer): Promise<void> {
  await sqlOf(db).updateTable('channels').set({ secret }).where('id', '=', id).execute();
}
