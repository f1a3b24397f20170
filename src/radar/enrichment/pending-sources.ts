// Which sources have items that still wait for the desk, whoever left them there.
import type { Db } from '../../kernel/ports/db.ts';
import { sourcesAwaitingDesk } from '../../store/radar/sources/items.ts';

export function sourcesToUnderstand(db: Db): Promise<readonly string[]> {
  return sourcesAwaitingDesk(db);
}
