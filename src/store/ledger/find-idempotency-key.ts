// Looks up the call that claimed an idempotency key.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';

/** The fields of one line (see `ledger_taken` in the migration); null: the key is free. */
export async function findIdempotencyKey(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly key: string;
    readonly fingerprint: string;
  },
): Promise<readonly string[] | null> {
  const { rows } = await sql<{ line: string }>`
    SELECT ledger_taken(state, fingerprint, ${query.fingerprint}, request_id, status, completed_at)
      AS line
    FROM calls WHERE idempotency_key = ${query.key} AND account_id = ${query.accountId}
      AND livemode = ${query.livemode}`.execute(sqlOf(db));
  return rows[0]?.line.split('|') ?? null;
}
