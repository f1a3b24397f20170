// Every kind of background job: its name, time limit and number of retries.
import type { JobKind } from '../kernel/ports/queue.ts';

export const TICK = 'tick';
export const FETCH_SOURCE = 'fetch-source';
export const ENRICH_ITEMS = 'enrich-items';
export const ASSIGN_STORIES = 'assign-stories';
export const RANK_STORIES = 'rank-stories';
export const REWRITE_DIGESTS = 'rewrite-digests';
export const WRITE_REPORTS = 'write-reports';
export const MAINTAIN_LEDGER = 'maintain-ledger';
export const CHECK_LEDGER = 'check-ledger';
export const FOLD_USAGE = 'fold-usage';
export const MAINTAIN_DATA = 'maintain-data';

export const jobKinds: readonly JobKind[] = [
  { name: TICK, expireInSeconds: 55, retryLimit: 0 },
  // A failed fetch is recorded and due again after its backoff. The queue retries only a fetch that
  // could not be recorded because the process or the database failed.
  { name: FETCH_SOURCE, expireInSeconds: 300, retryLimit: 2 },
  { name: ENRICH_ITEMS, expireInSeconds: 900, retryLimit: 3 },
  // The next tick sends these jobs again.
  { name: ASSIGN_STORIES, expireInSeconds: 900, retryLimit: 0 },
  { name: RANK_STORIES, expireInSeconds: 120, retryLimit: 0 },
  { name: REWRITE_DIGESTS, expireInSeconds: 900, retryLimit: 0 },
  { name: WRITE_REPORTS, expireInSeconds: 900, retryLimit: 0 },
  { name: MAINTAIN_LEDGER, expireInSeconds: 300, retryLimit: 0 },
  // The check may read the whole journal.
  { name: CHECK_LEDGER, expireInSeconds: 4 * 3600, retryLimit: 0 },
  { name: FOLD_USAGE, expireInSeconds: 900, retryLimit: 0 },
  // Maintenance can wait for long read transactions, and it exports monthly partitions to files.
  { name: MAINTAIN_DATA, expireInSeconds: 4 * 3600, retryLimit: 0 },
];
