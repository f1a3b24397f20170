// Only this file writes `embedding_models`: properties of embedding models.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { StoredCalibration } from '../schema/model.ts';

/** Length of the model's vectors; null: no vector has been received yet. */
export async function findDimensions(db: Db, model: string): Promise<number | null> {
  const row = await sqlOf(db)
    .selectFrom('embedding_models')
    .select('dimensions')
    .where('model', '=', model)
    .executeTakeFirst();
  return row?.dimensions ?? null;
}

/** The first vectors of a model determine the length. */
export async function saveDimensions(tx: Db, model: string, dimensions: number): Promise<void> {
  await sqlOf(tx)
    .insertInto('embedding_models')
    .values({ model, dimensions, calibration: null, calibrated_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findCalibration(db: Db, model: string): Promise<StoredCalibration | null> {
  const row = await sqlOf(db)
    .selectFrom('embedding_models')
    .select('calibration')
    .where('model', '=', model)
    .executeTakeFirst();
  return row?.calibration ?? null;
}

/** Does nothing before `saveDimensions` has stored the model. */
export async function saveCalibration(
  db: Db,
  model: string,
  { calibration, now }: { readonly calibration: StoredCalibration; readonly now: number },
): Promise<void> {
  await sqlOf(db)
    .updateTable('embedding_models')
    .set({ calibration: JSON.stringify(calibration), calibrated_at: toTimestamp(now) })
    .where('model', '=', model)
    .execute();
}
