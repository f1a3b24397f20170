// Only this file writes `publication_head` and `publication_log`: the order of publications. The
// head's row is locked from the first number to the commit, so numbers are in commit order.
import { sql } from 'kysely';
import { requirePresent } from '../../../kernel/errors/assert.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import { notify } from '../../platform/notifications.ts';
import type { EpochReason } from '../../schema/radar.ts';
import type { DocumentKind } from '../../schema/stories.ts';

export const PUBLICATION_CHANNEL = 'radar_publication';

/** Null: nothing was ever published. */
export async function findPublicationEpoch(db: Db): Promise<string | null> {
  const row = await sqlOf(db).selectFrom('publication_head').select('epoch').executeTakeFirst();
  return row?.epoch ?? null;
}

export type PublicationHead = { readonly epoch: string; readonly seq: number };

/** The epoch identifies one unbroken log. A client with a token of another epoch starts again. */
export async function readPublicationHead(world: World, db: Db): Promise<PublicationHead> {
  const query = sqlOf(db);
  const row = await query
    .selectFrom('publication_head')
    .select(['epoch', 'seq'])
    .executeTakeFirst();
  if (row) return row;
  await query
    .insertInto('publication_head')
    .values({
      only_row: true,
      epoch: newEpoch(world),
      seq: 0,
      epoch_reason: null,
      epoch_began_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return query.selectFrom('publication_head').select(['epoch', 'seq']).executeTakeFirstOrThrow();
}

/**
 * Begins a new epoch after a restore, because tokens can be newer than the restored state. With
 * `lostEpoch`, the epoch changes only if no other node changed it. Returns whether it changed.
 */
export async function beginEpoch(
  world: World,
  tx: Db,
  reason: EpochReason,
  lostEpoch?: string,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('publication_head')
    .set({
      epoch: newEpoch(world),
      epoch_reason: reason,
      epoch_began_at: toTimestamp(world.clock.now()),
    })
    .$if(lostEpoch !== undefined, (update) => update.where('epoch', '=', lostEpoch ?? ''))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const newEpoch = (world: World): string => Buffer.from(world.random.bytes(8)).toString('hex');

/** The head, and the change with a specified number in the log. */
export type PublicationState = PublicationHead & {
  /** Null: the log has no entry with this number. */
  readonly change: string | null;
};

/**
 * The head and the change with the number `seq`. After a restore, the log can have another change
 * with the same number.
 */
export async function readPublicationState(db: Db, seq: number): Promise<PublicationState> {
  const { rows } = await sql<PublicationState>`
    SELECT h.epoch, h.seq, l.kind || ' ' || l.key || ' ' || extract(epoch FROM l.at) AS change
    FROM publication_head h LEFT JOIN publication_log l ON l.seq = ${seq}`.execute(sqlOf(db));
  return rows[0] ?? { epoch: '', seq: 0, change: null };
}

/** First statement of every publishing transaction, so only one transaction publishes at a time. */
export async function lockPublication(world: World, tx: Db): Promise<PublicationHead> {
  const lock = () =>
    sqlOf(tx)
      .selectFrom('publication_head')
      .select(['epoch', 'seq'])
      .forUpdate()
      .executeTakeFirst();
  const head = await lock();
  if (head) return head;
  // The first publisher creates the row.
  await readPublicationHead(world, tx);
  return requirePresent(await lock(), 'the head of the publication');
}

export type LoggedChange = {
  readonly seq: number;
  /** `item`, or the kind of a document. */
  readonly kind: 'item' | DocumentKind;
  /** The item's id, or the document's key. */
  readonly key: string;
};

/** Writes the log, moves the head to the last number, and notifies the nodes at commit. */
export async function advancePublication(
  tx: Db,
  changes: readonly LoggedChange[],
  now: number,
): Promise<void> {
  const last = changes.at(-1);
  if (!last) return;
  await sqlOf(tx)
    .insertInto('publication_log')
    .values(changes.map((change) => ({ ...change, at: toTimestamp(now) })))
    .execute();
  await sqlOf(tx).updateTable('publication_head').set({ seq: last.seq }).execute();
  await notify(tx, PUBLICATION_CHANNEL);
}
