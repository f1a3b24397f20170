// Decides whether sessions are valid, by their expiry and their last use.
import { sql } from 'kysely';
import { instant } from './db.ts';

/**
 * A session is valid before its expiry, if it was used after `usedSince`. `usedSince` null: an
 * unused session is valid too.
 */
export type SessionLimits = { readonly now: number; readonly usedSince: number | null };

/** `idleMs` null: a session may be idle until its end. */
export const sessionLimits = (now: number, idleMs: number | null): SessionLimits => ({
  now,
  usedSince: idleMs === null ? null : now - idleMs,
});

/** Condition for the valid sessions of a table. A new session counts as used. */
export function isValidSession(
  table: 'account_sessions' | 'operator_sessions',
  { now, usedSince }: SessionLimits,
) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const isUnexpired = sql<boolean>`${column('expires_at')} > ${instant(now)}`;
  if (usedSince === null) return isUnexpired;
  const usedAt = sql`coalesce(${column('seen_at')}, ${column('created_at')})`;
  return sql<boolean>`${isUnexpired} AND ${usedAt} > ${instant(usedSince)}`;
}
