// Looks up the call that claimed an idempotency key. The month of the call may have been exported
// and dropped.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { decodeKeyClaim, type KeyClaim } from './decode-result.ts';

/** Null: the key is free. */
export async function findIdempotencyKey(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly key: string;
    readonly fingerprint: string;
  },
): Promise<KeyClaim | null> {
  const { rows } = await sql<{ line: string }>`
    SELECT ledger_taken(c.state, c.fingerprint, ${query.fingerprint}, k.request_id, c.status,
      c.completed_at) AS line
    FROM idempotency_keys k LEFT JOIN calls c ON c.request_id = k.request_id
    WHERE k.idempotency_key = ${query.key} AND k.account_id = ${query.accountId}
      AND k.livemode = ${query.livemode}`.execute(sqlOf(db));
  const [row] = rows;
  return row === undefined ? null : decodeKeyClaim(row.line);
}
