// Everything that is not a function of its inputs: time, chance, names, the network and the log.
// `main.ts` builds the real one; tests build theirs. Nothing else reaches outside the process.

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
