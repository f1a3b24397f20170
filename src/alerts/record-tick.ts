// Records that a worker runs, once per tick of its schedule. Any process can read the last tick, to
// raise an alert when it is old.
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { saveWorkerTick } from '../store/platform/worker-ticks.ts';

export function recordTick({ clock }: World, db: Db): Promise<void> {
  return saveWorkerTick(db, clock.now());
}
