// Only this file writes `operators` (names, roles, passwords and second factors) and
// `operator_recovery_codes`.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, inTransaction, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type OperatorRow = Readonly<Selectable<Schema['operators']>>;
export type OperatorRole = OperatorRow['role'];

/** Oldest first. */
export async function listOperatorRows(db: Db): Promise<readonly OperatorRow[]> {
  return sqlOf(db)
    .selectFrom('operators')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findOperatorRow(db: Db, id: string): Promise<OperatorRow | null> {
  const query = sqlOf(db).selectFrom('operators').selectAll().where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** Locks the operator until the transaction ends; null: the operator does not exist. */
export async function lockOperator(tx: Db, id: string): Promise<OperatorRow | null> {
  const query = sqlOf(tx).selectFrom('operators').selectAll().where('id', '=', id);
  return (await query.forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** The comparison ignores the case of ASCII letters. */
export async function findOperatorByName(db: Db, name: string): Promise<OperatorRow | null> {
  const row = await sqlOf(db)
    .selectFrom('operators')
    .selectAll()
    .where(sql<boolean>`lower(name) = lower(${name} COLLATE "C")`)
    .executeTakeFirst();
  return row ?? null;
}

type NewOperator = {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly hash: string | null;
  readonly invitation: { readonly hash: Uint8Array; readonly until: number } | null;
  readonly now: number;
};

/** False: an operator has that name or id. */
export async function insertOperator(tx: Db, operator: NewOperator): Promise<boolean> {
  const { id, name, role, hash, invitation, now } = operator;
  const inserted = await sqlOf(tx)
    .insertInto('operators')
    .values({
      id,
      name,
      role,
      hash,
      invitation: invitation === null ? null : Buffer.from(invitation.hash),
      invited_until: invitation === null ? null : toTimestamp(invitation.until),
      created_at: toTimestamp(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Blocks other changes of the table, so that two changes cannot remove the last owner together. */
export async function lockOperators(tx: Db): Promise<readonly OperatorRow[]> {
  await sql`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`.execute(sqlOf(tx));
  return listOperatorRows(tx);
}

export async function setOperatorRole(tx: Db, id: string, role: OperatorRole): Promise<void> {
  await sqlOf(tx).updateTable('operators').set({ role }).where('id', '=', id).execute();
}

/** Sets the hash of the password, and ends an open invitation. */
export async function setOperatorHash(tx: Db, id: string, hash: string): Promise<void> {
  await sqlOf(tx)
    .updateTable('operators')
    .set({ hash, invitation: null, invited_until: null })
    .where('id', '=', id)
    .execute();
}

/** Sessions and recovery codes are deleted too. */
export async function deleteOperator(tx: Db, id: string): Promise<void> {
  await sqlOf(tx).deleteFrom('operators').where('id', '=', id).execute();
}

/** The operator of an invitation that is still open. */
export async function findInvitation(
  db: Db,
  hash: Uint8Array,
  now: number,
): Promise<OperatorRow | null> {
  const row = await sqlOf(db)
    .selectFrom('operators')
    .selectAll()
    .where('invitation', '=', Buffer.from(hash))
    .where('invited_until', '>', instant(now))
    .executeTakeFirst();
  return row ?? null;
}

/** False: the invitation was accepted, withdrawn or has expired. */
export async function acceptInvitation(
  db: Db,
  invitation: { readonly hash: Uint8Array; readonly now: number },
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('operators')
    .set({ hash: passwordHash, invitation: null, invited_until: null })
    .where('invitation', '=', Buffer.from(invitation.hash))
    .where('invited_until', '>', instant(invitation.now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False: the operator has a factor already, or does not exist. */
export async function insertOperatorFactor(
  db: Db,
  id: string,
  factor: {
    readonly secret: Uint8Array;
    readonly step: number;
    readonly codes: readonly Uint8Array[];
  },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await sqlOf(tx)
      .updateTable('operators')
      .set({ totp_secret: Buffer.from(factor.secret), totp_step: factor.step })
      .where('id', '=', id)
      .where('totp_secret', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await replaceOperatorCodes(tx, id, factor.codes);
    return true;
  });
}

export async function deleteOperatorFactor(db: Db, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sqlOf(tx)
      .updateTable('operators')
      .set({ totp_secret: null, totp_step: null })
      .where('id', '=', id)
      .execute();
    await replaceOperatorCodes(tx, id, []);
  });
}

export async function replaceOperatorCodes(
  tx: Db,
  id: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await sqlOf(tx).deleteFrom('operator_recovery_codes').where('operator_id', '=', id).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ operator_id: id, hash: Buffer.from(hash) }));
  await sqlOf(tx).insertInto('operator_recovery_codes').values(rows).execute();
}

export async function countOperatorCodes(db: Db, id: string): Promise<number> {
  const row = await sqlOf(db)
    .selectFrom('operator_recovery_codes')
    .select((select) => select.fn.countAll<number>().as('left'))
    .where('operator_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(row.left);
}

/** False: the code does not exist any more. */
export async function consumeOperatorCode(db: Db, id: string, hash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await sqlOf(db)
    .deleteFrom('operator_recovery_codes')
    .where('operator_id', '=', id)
    .where('hash', '=', Buffer.from(hash))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** False: this step or a later step was used before. */
export async function consumeOperatorStep(db: Db, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('operators')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('totp_secret', 'is not', null)
    .where((where) => where.or([where('totp_step', 'is', null), where('totp_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
