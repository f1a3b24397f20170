// Syncs due top-ups with the provider once a minute, in case a webhook was lost. Several nodes
// share the work.
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { TopUps } from './open-top-ups.ts';

const SYNC_INTERVAL_MS = 60_000;

/** Ends when `stop` is aborted, after the current sync. */
export async function runSyncLoop(world: World, topUps: TopUps, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await topUps.syncDue().catch((error) => {
      world.log.warn({ error: messageOf(error) }, 'top-ups will be synced again in a minute');
    });
    await world.clock.sleep(SYNC_INTERVAL_MS, stop).catch(() => {});
  }
}
