// All access to the outside of the process: time, randomness, ids, network and log. `main.ts`
// builds the production World; tests build their own.

import type { Ids } from './crypto/ids.ts';
import type { Random } from './crypto/random.ts';
import type { Net } from './net/net.ts';
import type { Log } from './observability/log.ts';
import type { Clock } from './time/clock.ts';

export type World = {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly net: Net;
  readonly log: Log;
};
