// Sums of charge lines of the relay's calls, by model and token class.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';

export type ClassSumRow = {
  readonly model: string;
  readonly class: string;
  /** Micro-fen per million tokens; per call for the classes `request` and `tool:…`. */
  readonly price: string;
  readonly tokens: number;
};

/** Tokens of calls that began between `startsAt` (inclusive) and `endsAt` (exclusive). */
export async function sumTokenClasses(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly startsAt: number;
    readonly endsAt: number;
    readonly limit: number;
  },
): Promise<readonly ClassSumRow[]> {
  const { accountId, livemode, startsAt, endsAt, limit } = query;
  const { rows } = await sql<ClassSumRow>`
    SELECT model, class, price::text AS price, sum(tokens)::bigint AS tokens
    FROM call_lines
    WHERE account_id = ${accountId} AND livemode = ${livemode}
      AND opened_at >= ${toTimestamp(startsAt)} AND opened_at < ${toTimestamp(endsAt)}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT ${limit}`.execute(sqlOf(db));
  return rows;
}
