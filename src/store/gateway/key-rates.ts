// Only this file writes `key_rates`: rate limits of keys and accounts that differ from the
// installation's limit.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';

export type KeyRate = { readonly perSecond: number; readonly burst: number };

/** Rates by key id, or by account id for all of its keys. */
export async function readKeyRates(
  db: Db,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, KeyRate>> {
  if (subjects.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('key_rates')
    .select(['subject', 'per_second as perSecond', 'burst'])
    .where('subject', 'in', [...subjects])
    .execute();
  return new Map(rows.map(({ subject, perSecond, burst }) => [subject, { perSecond, burst }]));
}

/** Null resets to the rate of the account or the installation. */
export async function writeKeyRate(tx: Db, subject: string, rate: KeyRate | null): Promise<void> {
  const query = sqlOf(tx);
  if (rate === null) {
    await query.deleteFrom('key_rates').where('subject', '=', subject).execute();
    return;
  }
  const values = { per_second: rate.perSecond, burst: rate.burst };
  await query
    .insertInto('key_rates')
    .values({ subject, ...values })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(values))
    .execute();
}

/** Deletes the rates of a deleted account and of its keys. */
export async function deleteKeyRates(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx)
    .deleteFrom('key_rates')
    .where((where) =>
      where.or([
        where('subject', '=', accountId),
        where(
          'subject',
          'in',
          where.selectFrom('api_keys').select('id').where('account_id', '=', accountId),
        ),
      ]),
    )
    .execute();
}
