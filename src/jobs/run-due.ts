// One tick of the schedule: checks the clock and the database, and queues due jobs. The schedule,
// the start of a worker and the tests call it.
import { isChatUsageFoldDue } from '../gateway/relay/usage-report.ts';
import { isIntegrityCheckDue } from '../gateway/wallet/integrity/check-ledger.ts';
import { isLedgerDue } from '../gateway/wallet/integrity/maintain-ledger.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { Queue } from '../kernel/ports/queue.ts';
import type { World } from '../kernel/world.ts';
import { findPendingSources } from '../radar/enrichment/pending-sources.ts';
import { isRankingDue } from '../radar/ranking/compute-ranking.ts';
import { listDuePeriods } from '../radar/reports/write-reports.ts';
import { findDueSources } from '../radar/sources/fetch/due-sources.ts';
import { areStoriesDue } from '../radar/stories/sync/story-service.ts';
import {
  ASSIGN_STORIES,
  CHECK_LEDGER,
  ENRICH_ITEMS,
  FETCH_SOURCE,
  FOLD_USAGE,
  MAINTAIN_LEDGER,
  RANK_STORIES,
  WRITE_REPORTS,
} from './job-kinds.ts';

/** One job of each kind does all its pending work. The jobs are queued in this order. */
const singleJobKinds = [
  [ASSIGN_STORIES, areStoriesDue],
  [RANK_STORIES, isRankingDue],
  [MAINTAIN_LEDGER, isLedgerDue],
  [CHECK_LEDGER, isIntegrityCheckDue],
  [FOLD_USAGE, isChatUsageFoldDue],
] as const;

/** Returns the number of due jobs. The queue refuses a job that is already queued or running. */
export async function runDue(world: World, db: Db, queue: Queue): Promise<number> {
  const reportPeriods = await listDuePeriods(world, db);
  // One job writes all due reports, oldest first, because later reports cite earlier reports.
  if (reportPeriods.length > 0) await queue.send(WRITE_REPORTS, 'due', {});
  const dueSources = await findDueSources(db, world.clock.now());
  for (const sourceId of dueSources) await queue.send(FETCH_SOURCE, sourceId, { sourceId });
  const pendingSources = await findPendingSources(db);
  for (const sourceId of pendingSources) await queue.send(ENRICH_ITEMS, sourceId, { sourceId });
  let singleJobs = reportPeriods.length > 0 ? 1 : 0;
  for (const [name, isDue] of singleJobKinds) {
    if (!(await isDue(world, db))) continue;
    await queue.send(name, 'all', {});
    singleJobs += 1;
  }
  return dueSources.length + pendingSources.length + singleJobs;
}
