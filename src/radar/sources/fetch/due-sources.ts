// Which sources are due: active ones whose next reading has come, longest waiting first.
import type { Db } from '../../../kernel/ports/db.ts';
import { dueSources } from '../../../store/radar/sources/fetch-states.ts';

export function sourcesToRead(db: Db, now: number): Promise<readonly string[]> {
  return dueSources(db, now);
}
