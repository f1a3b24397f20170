// What the desk said of each item, last: the only writer of `judgements`.
import type { Selectable } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type StoredJudgement = Readonly<Selectable<Schema['judgements']>>;

export async function saveJudgement(tx: Db, judgement: StoredJudgement): Promise<void> {
  const row = { ...judgement, judged_at: toTimestamp(judgement.judged_at) };
  await sqlOf(tx)
    .insertInto('judgements')
    .values(row)
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet(row))
    .execute();
}

export async function findJudgement(db: Db, itemId: string): Promise<StoredJudgement | null> {
  const row = await sqlOf(db)
    .selectFrom('judgements')
    .selectAll()
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row ?? null;
}
