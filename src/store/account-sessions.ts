// Who is signed in at the console, as hashes of tokens: the only writer of `account_sessions`.
import type { Selectable } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { instant, sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

type SessionRow = Readonly<Selectable<Schema['account_sessions']>>;

/** Also forgets the account's sessions that have ended. */
export async function insertSession(db: Db, row: SessionRow): Promise<void> {
  await sqlOf(db)
    .deleteFrom('account_sessions')
    .where('account_id', '=', row.account_id)
    .where('expires_at', '<=', instant(row.created_at))
    .execute();
  await sqlOf(db)
    .insertInto('account_sessions')
    .values({
      ...row,
      created_at: toTimestamp(row.created_at),
      expires_at: toTimestamp(row.expires_at),
    })
    .execute();
}

export type SessionAndAccount = {
  readonly accountId: string;
  readonly email: string;
  readonly hash: Uint8Array;
};

/** A session that has not ended, of an account that is active. */
export async function findSession(
  db: Db,
  hash: Uint8Array,
  now: number,
): Promise<SessionAndAccount | null> {
  const row = await sqlOf(db)
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
    .select(['accounts.id as accountId', 'email', 'hash'])
    .where('hash', '=', Buffer.from(hash))
    .where('expires_at', '>', instant(now))
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row ?? null;
}

/** One session by its hash, or every session of an account. */
export async function deleteSessions(
  db: Db,
  which: { readonly hash: Uint8Array } | { readonly accountId: string },
): Promise<void> {
  const query = sqlOf(db).deleteFrom('account_sessions');
  if ('hash' in which) await query.where('hash', '=', Buffer.from(which.hash)).execute();
  else await query.where('account_id', '=', which.accountId).execute();
}
