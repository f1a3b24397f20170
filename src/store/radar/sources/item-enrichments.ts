// Only this file writes `judgements`: the last enrichment of each item.
import type { Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { excludedValues, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredEnrichment = Readonly<Selectable<Schema['judgements']>>;

type ModelEnrichmentFields = Pick<StoredEnrichment, 'model_record' | 'orders' | 'withholds_title'>;

/**
 * `model_record` is absent without a model; `orders` and `withholds_title` are absent for a text
 * without instructions.
 */
export type NewEnrichment = Omit<StoredEnrichment, keyof ModelEnrichmentFields> &
  Partial<ModelEnrichmentFields>;

export async function saveEnrichments(
  tx: Db,
  enrichments: readonly NewEnrichment[],
): Promise<void> {
  if (enrichments.length === 0) return;
  await sqlOf(tx)
    .insertInto('judgements')
    .values(enrichments.map(toRow))
    .onConflict((conflict) =>
      conflict.column('item_id').doUpdateSet(excludedValues(writtenColumns)),
    )
    .execute();
}

const writtenColumns = [
  'desk_version',
  'judged_at',
  'title',
  'original_title',
  'summary',
  'category',
  'score',
  'is_worthy',
  'reason',
  'summary_by',
  'language',
  'model_record',
  'orders',
  'withholds_title',
] as const satisfies readonly (keyof NewEnrichment)[];

function toRow(enrichment: NewEnrichment) {
  const {
    model_record: record = null,
    orders = 0,
    withholds_title = false,
    ...columns
  } = enrichment;
  return {
    ...columns,
    judged_at: toTimestamp(enrichment.judged_at),
    model_record: record === null ? null : JSON.stringify(record),
    orders,
    withholds_title,
  };
}

export async function findEnrichment(db: Db, itemId: string): Promise<StoredEnrichment | null> {
  const row = await sqlOf(db)
    .selectFrom('judgements')
    .selectAll()
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row ?? null;
}
