// Only this file writes `operator_sessions`: sessions of operators, with the hash of each session's
// token.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { isValidSession, type SessionLimits } from '../platform/session-limits.ts';
import type { Schema } from '../schema/schema.ts';
import type { OperatorRole } from './operators.ts';

type SessionRow = Readonly<Selectable<Schema['operator_sessions']>>;

export type OperatorSessionRow = SessionRow & {
  readonly name: string;
  readonly role: OperatorRole;
  readonly hasTotp: boolean;
};

/** Also deletes sessions that have ended. */
export async function insertOperatorSession(db: Db, row: SessionRow): Promise<void> {
  const query = sqlOf(db);
  await query
    .deleteFrom('operator_sessions')
    .where('expires_at', '<=', instant(row.created_at))
    .execute();
  await query
    .insertInto('operator_sessions')
    .values({
      ...row,
      created_at: toTimestamp(row.created_at),
      expires_at: toTimestamp(row.expires_at),
      seen_at: toTimestampOrNull(row.seen_at),
    })
    .execute();
}

/** A session that has not ended, with its operator. */
export async function findOperatorSession(
  db: Db,
  hash: Uint8Array,
  limits: SessionLimits,
): Promise<OperatorSessionRow | null> {
  const row = await sqlOf(db)
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .selectAll('operator_sessions')
    .select(['operators.name', 'operators.role'])
    .select((select) => select('operators.totp_secret', 'is not', null).as('hasTotp'))
    .where('operator_sessions.hash', '=', Buffer.from(hash))
    .where(isValidSession('operator_sessions', limits))
    .executeTakeFirst();
  return row === undefined ? null : { ...row, hasTotp: Boolean(row.hasTotp) };
}

/** Sessions of one operator, newest first. */
export async function listOperatorSessions(
  db: Db,
  operatorId: string,
  limits: SessionLimits,
): Promise<readonly SessionRow[]> {
  return sqlOf(db)
    .selectFrom('operator_sessions')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where(isValidSession('operator_sessions', limits))
    .orderBy('created_at', 'desc')
    .execute();
}

export async function recordOperatorSessionUse(db: Db, id: string, at: number): Promise<void> {
  await sqlOf(db)
    .updateTable('operator_sessions')
    .set({ seen_at: toTimestamp(at) })
    .where('id', '=', id)
    .execute();
}

export async function hasOperatorSession(db: Db, id: string): Promise<boolean> {
  const query = sqlOf(db).selectFrom('operator_sessions').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function deleteOperatorSession(db: Db, id: string): Promise<void> {
  await sqlOf(db).deleteFrom('operator_sessions').where('id', '=', id).execute();
}

/** `except`: the session that continues; null: none. */
export async function deleteOperatorSessions(
  tx: Db,
  operatorId: string,
  except: string | null,
): Promise<void> {
  await sqlOf(tx)
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .$if(except !== null, (query) => query.where('id', '<>', except))
    .execute();
}
