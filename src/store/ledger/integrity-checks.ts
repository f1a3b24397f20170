// Only this file writes `ledger_proofs`: the results of integrity checks of the ledger.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { ProofResult } from '../schema/operations.ts';
import type { Schema } from '../schema/schema.ts';

export type IntegrityCheckRow = Readonly<Selectable<Schema['ledger_proofs']>>;

/** Newest first. */
export async function listIntegrityCheckRows(
  db: Db,
  limit: number,
): Promise<readonly IntegrityCheckRow[]> {
  return sqlOf(db)
    .selectFrom('ledger_proofs')
    .selectAll()
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The last finished check. */
export async function findLastIntegrityCheckRow(db: Db): Promise<IntegrityCheckRow | null> {
  const row = await sqlOf(db)
    .selectFrom('ledger_proofs')
    .selectAll()
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertIntegrityCheck(
  db: Db,
  check: { readonly id: string; readonly requestedAt: number; readonly requestedBy: string | null },
): Promise<void> {
  await sqlOf(db)
    .insertInto('ledger_proofs')
    .values({
      id: check.id,
      asked_at: toTimestamp(check.requestedAt),
      asked_by: check.requestedBy,
      started_at: null,
      told_at: null,
      finished_at: null,
      entries: null,
      sealed: null,
      results: '[]',
    })
    .execute();
}

/** Claims the oldest pending check, or one whose worker has not reported since `silentSince`. */
export async function claimIntegrityCheck(
  db: Db,
  { now, silentSince }: { readonly now: number; readonly silentSince: number },
): Promise<IntegrityCheckRow | null> {
  const query = sqlOf(db);
  const row = await query
    .updateTable('ledger_proofs')
    .set({ started_at: toTimestamp(now), told_at: toTimestamp(now), results: '[]' })
    .where(
      'id',
      '=',
      query
        .selectFrom('ledger_proofs')
        .select('id')
        .where('finished_at', 'is', null)
        .where((where) =>
          where.or([where('told_at', 'is', null), where('told_at', '<=', instant(silentSince))]),
        )
        .orderBy('asked_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the progress of a check. */
export async function updateIntegrityCheck(
  db: Db,
  id: string,
  progress: { readonly at: number; readonly results: readonly ProofResult[] },
): Promise<void> {
  await sqlOf(db)
    .updateTable('ledger_proofs')
    .set({ told_at: toTimestamp(progress.at), results: JSON.stringify(progress.results) })
    .where('id', '=', id)
    .execute();
}

/** Also deletes the oldest checks beyond the last thousand. */
export async function finishIntegrityCheck(
  db: Db,
  id: string,
  outcome: {
    readonly at: number;
    readonly entries: number;
    readonly sealed: number;
    readonly results: readonly ProofResult[];
  },
): Promise<void> {
  const at = toTimestamp(outcome.at);
  await sqlOf(db)
    .updateTable('ledger_proofs')
    .set({
      told_at: at,
      finished_at: at,
      entries: outcome.entries,
      sealed: outcome.sealed,
      results: JSON.stringify(outcome.results),
    })
    .where('id', '=', id)
    .execute();
  await sql`DELETE FROM ledger_proofs WHERE id IN (
    SELECT id FROM ledger_proofs ORDER BY asked_at DESC, id DESC OFFSET 1000)`.execute(sqlOf(db));
}

/** The last sequence number of the journal. */
export async function readLastSequence(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) AS seq FROM entries`.execute(sqlOf(db));
  return rows[0]?.seq ?? 0;
}
