// Every kind of background job: its name, how long a run may take, how often it is tried again.
import type { JobKind } from '../kernel/queue.ts';

export const TICK = 'tick';
export const READ_SOURCE = 'read-source';
export const UNDERSTAND_ITEMS = 'understand-items';

export const jobKinds: readonly JobKind[] = [
  { name: TICK, expireInSeconds: 55, retryLimit: 0 },
  // No retry of its own: a failed reading is written down and due again after its backoff.
  { name: READ_SOURCE, expireInSeconds: 300, retryLimit: 0 },
  { name: UNDERSTAND_ITEMS, expireInSeconds: 900, retryLimit: 3 },
];
