// Stores the calibration of an embedding model, so that a restarted worker does not learn it again.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { findCalibration, saveCalibration } from '../../../store/model/embedding-models.ts';
import type { CalibrationStore } from './open-neighbours.ts';

export function calibrationStore({ clock }: World, db: Db): CalibrationStore {
  return {
    find: (model) => findCalibration(db, model),
    save: (model, calibration) => saveCalibration(db, model, { calibration, now: clock.now() }),
  };
}
