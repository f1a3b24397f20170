// Repeats unacknowledged requests. A killed database may have committed a request without returning
// its result. Repeating is safe, because the ledger recognises the ids of committed requests.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Deadlines } from '../../../kernel/time/deadlines.ts';
import type { World } from '../../../kernel/world.ts';

/** Replaces a result: the ledger was unreachable, or its result was lost. */
export const DISCONNECTED = 'disconnected';

/**
 * The pauses and attempts together take at most 8.35 s. A response takes at most 13 s: 1.5 s to
 * notice the loss, these attempts, and 3.15 s for the release after an unknown capture. A
 * killed server has recovered by then (0.2 to 5 s were measured), and recovery of holds has not
 * started.
 */
const RETRY_PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 2_000] as const;
/** Three seconds for a release, because recovery of holds repeats it later. */
export const SHORT_PAUSES_MS = RETRY_PAUSES_MS.slice(0, 6);

/**
 * Returns the first result of `execute` that is not `DISCONNECTED`; after the last attempt,
 * `DISCONNECTED`. `execute` sends a new batch.
 */
export async function retryUnacknowledged<T>(
  { world, deadlines }: { readonly world: World; readonly deadlines: Deadlines },
  execute: () => Promise<T | typeof DISCONNECTED>,
  pausesMs: readonly number[] = RETRY_PAUSES_MS,
): Promise<T | typeof DISCONNECTED> {
  const limitMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
  const timeout = Promise.withResolvers<typeof DISCONNECTED>();
  const cancelTimeout = deadlines.callAfter(limitMs, () => timeout.resolve(DISCONNECTED));
  const giveUpAt = world.clock.now() + limitMs;
  try {
    let result = await Promise.race([execute(), timeout.promise]);
    for (const pauseMs of pausesMs) {
      if (result !== DISCONNECTED || world.clock.now() >= giveUpAt) break;
      await Promise.race([world.clock.sleep(pauseMs), timeout.promise]);
      // An attempt after the limit could charge a call whose caller received the fault already.
      if (world.clock.now() > giveUpAt) break;
      result = await Promise.race([execute(), timeout.promise]);
    }
    return result;
  } finally {
    cancelTimeout();
  }
}

/** The fault of a capture whose outcome is unknown. */
export function unknownChargeFault(requestId: string): Fault {
  const message =
    'The ledger cannot be reached, so it is not known yet whether this call was charged. Read ' +
    'the call by its id later: it was charged if its response is stored. Otherwise its hold is ' +
    'released.';
  return new Fault('temporarily_unavailable', message, {
    internal: `the ledger was unreachable during the capture of ${requestId}`,
    retryAfterSeconds: 5,
  });
}
