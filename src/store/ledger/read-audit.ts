// The views of the audit, one per invariant.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inSnapshot, sqlOf } from '../platform/db.ts';

export const auditViews = [
  'balanced',
  'never_negative',
  'cache_is_replay',
  'resolved_once',
  'captured_once_per_key',
  'allocations_are_the_charge',
  'spending_order',
  'charged_what_was_answered',
  'revenue_is_price_times_quantity',
  'allowance_within_its_day',
  'chain_intact',
  'top_ups_are_in_the_books',
  'refunds_within_the_charge',
  'usage_is_the_calls',
] as const;

export type AuditView = (typeof auditViews)[number];

export type Violation = { readonly subject: string; readonly detail: string };

/**
 * Violations of each invariant in one snapshot, at most `most` rows of each. `onRead` is awaited
 * after each invariant.
 */
export async function readAudit(
  db: Db,
  most: number,
  onRead: (view: AuditView, violations: readonly Violation[]) => Promise<void> = async () => {},
): Promise<ReadonlyMap<AuditView, readonly Violation[]>> {
  return inSnapshot(db, async (tx) => {
    // Reading the whole journal may exceed the statement timeout.
    await sql`SET LOCAL statement_timeout = 0`.execute(sqlOf(tx));
    const found = new Map<AuditView, readonly Violation[]>();
    for (const view of auditViews) {
      const { rows } = await sql<Violation>`
        SELECT subject, detail FROM ${sql.id('ledger_audit', view)} LIMIT ${most}`.execute(
        sqlOf(tx),
      );
      found.set(view, rows);
      await onRead(view, rows);
    }
    return found;
  });
}

/** The number of rows to audit. */
export async function journalSize(
  db: Db,
): Promise<{ readonly entries: number; readonly sealed: number }> {
  const { rows } = await sql<{ entries: number; sealed: number }>`
    SELECT (SELECT count(*) FROM entries) AS entries,
      (SELECT coalesce(sum(entries), 0)::bigint FROM seals) AS sealed`.execute(sqlOf(db));
  return rows[0] ?? { entries: 0, sealed: 0 };
}
