// Everything that is not a function of its inputs: time, chance, names, the network and the log.
// `main.ts` builds the real one; tests build theirs. Nothing else reaches outside the process.
import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { Net } from './net/net.ts';
import type { Random } from './random.ts';

export type World = {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly net: Net;
  readonly log: Log;
};
