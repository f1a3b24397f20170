// Whether a call was charged is never guessed. A capture whose answer was lost with the database may
// have been made, so it is asked about until the database is back; the ledger knows its requests
// again. Only a database that stays away leaves it open, and then the caller is told so.
import { Fault } from '../../kernel/fault.ts';
import type { World } from '../../kernel/world.ts';

/** What the lane answers for the ledger that could not be asked, or was not heard. */
export const AWAY = 'away';

/**
 * Together 13 seconds, less than a call has for settling: a server that was killed has recovered
 * by then, and recovery of holds has not yet begun.
 */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 3_200, 3_200] as const;

/** What `ask` answers once it is not `AWAY`. Each time it is asked in its turn of the lane. */
export async function untilAnswered(world: World, ask: () => Promise<string>): Promise<string> {
  for (const pauseMs of PAUSES_MS) {
    const answer = await ask();
    if (answer !== AWAY) return answer;
    await world.clock.sleep(pauseMs);
  }
  const answer = await ask();
  if (answer !== AWAY) return answer;
  throw new Fault('temporarily_unavailable', UNKNOWN, {
    internal: 'the ledger stayed away while a capture was asked about',
    retryAfterSeconds: 5,
  });
}

const UNKNOWN =
  'The ledger cannot be reached, so it is not known yet whether this call was charged. It was if ' +
  'its answer is kept: ask for the call by its id. Otherwise what is held for it is given back.';
