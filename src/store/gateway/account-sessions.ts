// Only this file writes `account_sessions`: console sessions, with the hash of each session's
// token.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { isValidSession, type SessionLimits } from '../platform/session-limits.ts';
import type { Schema } from '../schema/schema.ts';

export type SessionRow = Readonly<Selectable<Schema['account_sessions']>>;

/** Also deletes the account's expired sessions. */
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
      seen_at: toTimestampOrNull(row.seen_at),
    })
    .execute();
}

export type SessionAndAccount = SessionRow & {
  readonly email: string;
  readonly language: 'en' | 'zh-CN' | null;
  readonly awaits_verification: boolean;
  readonly has_totp: boolean;
};

/** A valid session of an active account. */
export async function findSession(
  db: Db,
  hash: Uint8Array,
  limits: SessionLimits,
): Promise<SessionAndAccount | null> {
  const row = await sqlOf(db)
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
    .selectAll('account_sessions')
    .select(['email', 'language', 'awaits_verification'])
    .select((select) => select('totp_secret', 'is not', null).as('has_totp'))
    .where('hash', '=', Buffer.from(hash))
    .where(isValidSession('account_sessions', limits))
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row === undefined ? null : { ...row, has_totp: Boolean(row.has_totp) };
}

/** Valid sessions, newest first. */
export async function listSessionRows(
  db: Db,
  accountId: string,
  limits: SessionLimits,
): Promise<readonly SessionRow[]> {
  return sqlOf(db)
    .selectFrom('account_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(isValidSession('account_sessions', limits))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function setSessionMode(db: Db, id: string, livemode: boolean): Promise<void> {
  await sqlOf(db).updateTable('account_sessions').set({ livemode }).where('id', '=', id).execute();
}

export async function recordSessionUse(db: Db, id: string, at: number): Promise<void> {
  await sqlOf(db)
    .updateTable('account_sessions')
    .set({ seen_at: toTimestamp(at) })
    .where('id', '=', id)
    .execute();
}

type SessionSelector =
  | { readonly hash: Uint8Array }
  | { readonly accountId: string }
  | { readonly accountId: string; readonly id: string }
  | { readonly accountId: string; readonly exceptSession: string };

/** Deletes one session, every session of an account, or every session but one. */
export async function deleteSessions(db: Db, selector: SessionSelector): Promise<void> {
  const query = sqlOf(db).deleteFrom('account_sessions');
  if ('hash' in selector) {
    await query.where('hash', '=', Buffer.from(selector.hash)).execute();
    return;
  }
  const ofAccount = query.where('account_id', '=', selector.accountId);
  if ('id' in selector) await ofAccount.where('id', '=', selector.id).execute();
  else if ('exceptSession' in selector)
    await ofAccount.where('id', '!=', selector.exceptSession).execute();
  else await ofAccount.execute();
}
