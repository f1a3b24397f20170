// What became of a request is never guessed. When the database is killed under it, its answer is
// lost though it may be committed, so it is asked about until the server is back; the ledger knows
// its requests again.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';

/** Instead of an answer: the ledger could not be asked, or was not heard. */
export const DISCONNECTED = 'away';

/**
 * Together 13 seconds, less than a call has for settling: a server that was killed has recovered
 * by then, and recovery of holds has not yet begun.
 */
const RETRY_PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 3_200, 3_200] as const;
/** Three seconds, for what recovery of holds does as well. */
export const SHORT_PAUSES_MS = RETRY_PAUSES_MS.slice(0, 6);

/** What `ask` answers, once it answers; else `AWAY`. Each time it has its turn in the lane. */
export async function retryUnacknowledged<T>(
  world: World,
  ask: () => Promise<T | typeof DISCONNECTED>,
  pausesMs: readonly number[] = RETRY_PAUSES_MS,
): Promise<T | typeof DISCONNECTED> {
  let answer = await ask();
  for (const pauseMs of pausesMs) {
    if (answer !== DISCONNECTED) break;
    await world.clock.sleep(pauseMs);
    answer = await ask();
  }
  return answer;
}

/** For whoever waited for a capture in vain: neither that it was charged, nor that it was not. */
export function unknownChargeFault(requestId: string): Fault {
  const message =
    'The ledger cannot be reached, so it is not known yet whether this call was charged. It was ' +
    'if its answer is kept: ask for the call by its id. Else what is held for it is given back.';
  return new Fault('temporarily_unavailable', message, {
    internal: `the ledger stayed away while ${requestId} was to be captured`,
    retryAfterSeconds: 5,
  });
}
