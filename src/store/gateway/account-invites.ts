// Only this file writes `account_invites`: hashes of invitation codes for sign-up.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type InviteRow = Readonly<Selectable<Schema['account_invites']>>;
export type NewInvite = Omit<InviteRow, 'revoked_at' | 'used_at' | 'account_id'>;

export async function insertInvites(db: Db, rows: readonly NewInvite[]): Promise<void> {
  const values = rows.map((row) => ({
    ...row,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
    revoked_at: null,
    used_at: null,
    account_id: null,
  }));
  await sqlOf(db).insertInto('account_invites').values(values).execute();
}

/** The id of a valid code, locked until the transaction ends; null when the code is invalid. */
export async function lockInvite(tx: Db, hash: Uint8Array, now: number): Promise<string | null> {
  const row = await sqlOf(tx)
    .selectFrom('account_invites')
    .select('id')
    .where('hash', '=', Buffer.from(hash))
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .forUpdate()
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function markInviteUsed(
  tx: Db,
  id: string,
  accountId: string,
  now: number,
): Promise<void> {
  await sqlOf(tx)
    .updateTable('account_invites')
    .set({ used_at: toTimestamp(now), account_id: accountId })
    .where('id', '=', id)
    .execute();
}

/** False when the code is unknown, used or revoked. */
export async function revokeInviteRow(db: Db, id: string, now: number): Promise<boolean> {
  const result = await sqlOf(db)
    .updateTable('account_invites')
    .set({ revoked_at: toTimestamp(now) })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Newest first. */
export async function listInviteRows(db: Db, limit: number): Promise<readonly InviteRow[]> {
  return sqlOf(db)
    .selectFrom('account_invites')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Empties the notes of the invitations that an account used. */
export async function eraseInviteNotes(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx)
    .updateTable('account_invites')
    .set({ note: '' })
    .where('account_id', '=', accountId)
    .execute();
}
