// Only this file writes `account_mail_tokens`: hashes of the tokens of links in mails.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type MailTokenRow = Readonly<Selectable<Schema['account_mail_tokens']>>;
export type MailPurpose = MailTokenRow['purpose'];

/** Replaces an older token of that account and purpose. */
export async function putMailToken(db: Db, row: MailTokenRow): Promise<void> {
  const values = {
    hash: row.hash,
    address: row.address,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
  };
  await sqlOf(db)
    .insertInto('account_mail_tokens')
    .values({ ...row, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'purpose']).doUpdateSet(values))
    .execute();
}

/** Uses up a token and returns its account; null when it is invalid. */
export async function consumeMailToken(
  db: Db,
  purpose: Exclude<MailPurpose, 'address'>,
  hash: Uint8Array,
  now: number,
): Promise<string | null> {
  return (await consumeToken(db, purpose, hash, now))?.account_id ?? null;
}

/** Uses up a token for a new address; returns the account and the address. */
export async function consumeAddressToken(
  db: Db,
  hash: Uint8Array,
  now: number,
): Promise<{ readonly accountId: string; readonly address: string } | null> {
  const row = await consumeToken(db, 'address', hash, now);
  return row?.address ? { accountId: row.account_id, address: row.address } : null;
}

async function consumeToken(db: Db, purpose: MailPurpose, hash: Uint8Array, now: number) {
  return sqlOf(db)
    .deleteFrom('account_mail_tokens')
    .where('hash', '=', Buffer.from(hash))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', instant(now))
    .returning(['account_id', 'address'])
    .executeTakeFirst();
}

/** The account of a valid token, without using it up. */
export async function findMailTokenOwner(
  db: Db,
  purpose: MailPurpose,
  hash: Uint8Array,
  now: number,
): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('account_mail_tokens')
    .select('account_id')
    .where('hash', '=', Buffer.from(hash))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', instant(now))
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** The requested and unconfirmed address of an account; null when there is none. */
export async function findRequestedAddress(
  db: Db,
  accountId: string,
  now: number,
): Promise<{ readonly address: string; readonly until: number } | null> {
  const row = await sqlOf(db)
    .selectFrom('account_mail_tokens')
    .select(['address', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'address')
    .where('expires_at', '>', instant(now))
    .executeTakeFirst();
  return row?.address ? { address: row.address, until: row.expires_at } : null;
}

/** Deletes expired links with their addresses. */
export async function deleteExpiredMailTokens(db: Db, now: number): Promise<void> {
  await sqlOf(db)
    .deleteFrom('account_mail_tokens')
    .where('expires_at', '<=', instant(now))
    .execute();
}

/** Deletes the tokens of an account; `purpose` limits the deletion to tokens of one kind. */
export async function deleteMailTokens(
  db: Db,
  accountId: string,
  purpose: MailPurpose | null = null,
): Promise<void> {
  let query = sqlOf(db).deleteFrom('account_mail_tokens').where('account_id', '=', accountId);
  if (purpose !== null) query = query.where('purpose', '=', purpose);
  await query.execute();
}
