// Links in mails, as hashes of their tokens: the only writer of `account_mail_tokens`.
import type { Selectable } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { instant, sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type MailTokenRow = Readonly<Selectable<Schema['account_mail_tokens']>>;
export type MailPurpose = MailTokenRow['purpose'];

/** In place of an older one of that account and purpose. */
export async function putMailToken(db: Db, row: MailTokenRow): Promise<void> {
  const fresh = {
    hash: row.hash,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
  };
  await sqlOf(db)
    .insertInto('account_mail_tokens')
    .values({ ...row, ...fresh })
    .onConflict((conflict) => conflict.columns(['account_id', 'purpose']).doUpdateSet(fresh))
    .execute();
}

/** Whose it was; null when there is none that works. It works no more. */
export async function takeMailToken(
  db: Db,
  purpose: MailPurpose,
  hash: Uint8Array,
  now: number,
): Promise<string | null> {
  const row = await sqlOf(db)
    .deleteFrom('account_mail_tokens')
    .where('hash', '=', Buffer.from(hash))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', instant(now))
    .returning('account_id')
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Whether it would work now. */
export async function hasMailToken(
  db: Db,
  purpose: MailPurpose,
  hash: Uint8Array,
  now: number,
): Promise<boolean> {
  const row = await sqlOf(db)
    .selectFrom('account_mail_tokens')
    .select('account_id')
    .where('hash', '=', Buffer.from(hash))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', instant(now))
    .executeTakeFirst();
  return row !== undefined;
}

export async function dropMailTokens(db: Db, accountId: string): Promise<void> {
  await sqlOf(db).deleteFrom('account_mail_tokens').where('account_id', '=', accountId).execute();
}
