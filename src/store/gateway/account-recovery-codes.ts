// Only this file writes `account_recovery_codes`: hashes of recovery codes. A recovery code
// replaces a one-time code when a customer has lost the device that makes one-time codes.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';

/** Replaces all codes of the account. */
export async function replaceRecoveryCodes(
  tx: Db,
  accountId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await sqlOf(tx)
    .deleteFrom('account_recovery_codes')
    .where('account_id', '=', accountId)
    .execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ account_id: accountId, hash: Buffer.from(hash) }));
  await sqlOf(tx).insertInto('account_recovery_codes').values(rows).execute();
}

/** False when the code is unknown or used. */
export async function consumeRecoveryCode(
  db: Db,
  accountId: string,
  hash: Uint8Array,
): Promise<boolean> {
  const result = await sqlOf(db)
    .deleteFrom('account_recovery_codes')
    .where('account_id', '=', accountId)
    .where('hash', '=', Buffer.from(hash))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const row = await sqlOf(db)
    .selectFrom('account_recovery_codes')
    .select((select) => select.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(row.left);
}
