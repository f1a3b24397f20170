// The background worker, which runs each kind of job. Jobs contain only names; they read all data
// when they run.

import { recordTick } from '../alerts/record-tick.ts';
import { eraseLateData } from '../gateway/accounts/delete-account.ts';
import { deleteOldSecurityEvents } from '../gateway/accounts/security-log.ts';
import { deleteExpiredRequests } from '../gateway/calls/request-log.ts';
import { foldChatUsage } from '../gateway/relay/usage-report.ts';
import { rollUpUsage } from '../gateway/wallet/history/roll-up-usage.ts';
import { checkLedger } from '../gateway/wallet/integrity/check-ledger.ts';
import { updateLedgerMetrics } from '../gateway/wallet/integrity/ledger-metrics.ts';
import { maintainLedger } from '../gateway/wallet/integrity/maintain-ledger.ts';
import { assert } from '../kernel/errors/assert.ts';
import type { Robots } from '../kernel/net/robots.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { JobData, Queue } from '../kernel/ports/queue.ts';
import type { World } from '../kernel/world.ts';
import { type EnrichmentDeps, enrichItems } from '../radar/enrichment/enrich-items.ts';
import type { Enricher } from '../radar/enrichment/enricher.ts';
import type { ModelEnricher } from '../radar/enrichment/model/model-enricher.ts';
import { openItemPublisher } from '../radar/enrichment/publish-enriched.ts';
import { loadNgramDetector } from '../radar/language/detect-language.ts';
import type { RewriteDigestDeps } from '../radar/publication/digest/rewrite-digest.ts';
import { refreshDigests } from '../radar/publication/documents/refresh-digests.ts';
import { rewriteDigests } from '../radar/publication/documents/rewrite-digests.ts';
import { itemTimelineAt } from '../radar/publication/project-group.ts';
import { publishGroups } from '../radar/publication/publish-groups.ts';
import { computeRanking, isRankingDue } from '../radar/ranking/compute-ranking.ts';
import type { RankingRules } from '../radar/ranking/ranking-rules.ts';
import { type ReportContext, writeDueReports } from '../radar/reports/write-reports.ts';
import type { ArticlePool } from '../radar/sources/article/extract-pool.ts';
import { openArticleFetcher } from '../radar/sources/fetch/fetch-article.ts';
import { fetchSource } from '../radar/sources/fetch/fetch-source.ts';
import type { StoryService } from '../radar/stories/sync/story-service.ts';
import { openDataMaintenance, type Retention } from '../retention/maintain-data.ts';
import {
  ASSIGN_STORIES,
  CHECK_LEDGER,
  ENRICH_ITEMS,
  FETCH_SOURCE,
  FOLD_USAGE,
  MAINTAIN_DATA,
  MAINTAIN_LEDGER,
  RANK_STORIES,
  REWRITE_DIGESTS,
  TICK,
  WRITE_REPORTS,
} from './job-kinds.ts';
import { openConnectivityLog } from './log-connectivity.ts';
import { runDue } from './run-due.ts';

export type WorkerDeps = {
  readonly queue: Queue;
  readonly robots: Robots;
  readonly enricher: Enricher;
  /** Null or absent: no model is configured. */
  readonly modelEnricher?: ModelEnricher | null;
  /** Digests by a model; null or absent: no model is configured. */
  readonly digests?: RewriteDigestDeps | null;
  readonly articles: ArticlePool;
  readonly stories: StoryService;
  readonly rankingRules: RankingRules;
  readonly reports: ReportContext;
  /** Removes old months of data once a day; absent: all data are kept. */
  readonly retention?: Retention;
  /** The data folder. It contains the list of deleted accounts, which a restore reads. */
  readonly dataDir: string;
  /** Receives the outcome of each fetch. */
  readonly onFetch?: (outcome: string) => void;
};

const CONCURRENT_FETCHES = 6;
/** An enrichment mostly waits for article servers, so many run concurrently. */
const CONCURRENT_ENRICHMENTS = 12;
/** With a model, each job enriches eight items at once. */
const CONCURRENT_MODEL_ENRICHMENTS = 4;

export async function startWorker(world: World, db: Db, deps: WorkerDeps): Promise<void> {
  const { queue, robots } = deps;
  // Otherwise the first enriched item would block a reader in a process with all roles.
  loadNgramDetector();
  const enrichmentDeps = createEnrichmentDeps(world, db, deps);
  const recordFetch = openConnectivityLog(world.log);
  await queue.work(FETCH_SOURCE, CONCURRENT_FETCHES, async (data) => {
    const sourceId = readSourceId(data);
    const result = await fetchSource(world, db, robots, sourceId);
    if (result.kind === 'done') {
      deps.onFetch?.(result.record.outcome);
      recordFetch(sourceId, result.record.status !== null);
    }
    if (result.kind === 'done' && result.record.created + result.record.changed > 0) {
      await queue.send(ENRICH_ITEMS, sourceId, { sourceId });
    }
  });
  const enrichments = deps.modelEnricher ? CONCURRENT_MODEL_ENRICHMENTS : CONCURRENT_ENRICHMENTS;
  await queue.work(ENRICH_ITEMS, enrichments, async (data, signal) => {
    const enrichedCount = await enrichItems(world, db, enrichmentDeps, {
      sourceId: readSourceId(data),
      signal,
    });
    if (enrichedCount > 0) await queue.send(ASSIGN_STORIES, 'all', {});
  });
  await queue.work(ASSIGN_STORIES, 1, async (_data, signal) => {
    // While this job runs, the queue refuses a second job, so this job also assigns later items.
    while ((await deps.stories.assign(signal)) > 0);
    if (deps.digests) await queue.send(REWRITE_DIGESTS, 'all', {});
    if (await isRankingDue(world, db)) await queue.send(RANK_STORIES, 'all', {});
  });
  await queue.work(REWRITE_DIGESTS, 1, async (_data, signal) => {
    if (deps.digests) await rewriteDigests(world, db, deps.digests, signal);
  });
  await queue.work(RANK_STORIES, 1, async () => {
    await computeRanking(world, db, deps.rankingRules);
    await refreshDigests(world, db);
  });
  await queue.work(WRITE_REPORTS, 1, async (_data, signal) => {
    await writeDueReports(world, db, deps.reports, signal);
  });
  await queue.work(MAINTAIN_LEDGER, 1, async () => {
    await maintainLedger(world, db);
  });
  await queue.work(CHECK_LEDGER, 1, async () => {
    await checkLedger(world, db);
  });
  await queue.work(FOLD_USAGE, 1, async () => {
    await foldChatUsage(world, db);
  });
  const maintenance = openDataMaintenance(world, db, deps.retention ?? null);
  await queue.work(MAINTAIN_DATA, 1, maintenance.run);
  await queue.work(TICK, 1, async () => {
    await runDue(world, db, queue);
    if (await maintenance.isDue()) await queue.send(MAINTAIN_DATA, 'all', {});
    await recordTick(world, db);
    if (deps.digests) await queue.send(REWRITE_DIGESTS, 'all', {});
    await updateLedgerMetrics(world, db);
    await rollUpUsage(world, db);
    await deleteExpiredRequests(world, db);
    await deleteOldSecurityEvents(world, db);
    await eraseLateData(world, db, deps.dataDir);
  });
  await queue.everyMinute(TICK);
  await runDue(world, db, queue);
  await recordTick(world, db);
}

export function createEnrichmentDeps(
  world: World,
  db: Db,
  deps: Pick<WorkerDeps, 'robots' | 'enricher' | 'modelEnricher' | 'articles'>,
): EnrichmentDeps {
  return {
    enricher: deps.enricher,
    modelEnricher: deps.modelEnricher ?? null,
    fetchArticle: openArticleFetcher(world, deps.robots, deps.articles),
    publisher: openItemPublisher(world, db, {
      timelineAt: itemTimelineAt,
      publish: publishGroups,
    }),
  };
}

function readSourceId(data: JobData): string {
  assert(typeof data.sourceId === 'string', 'a job of a source contains the id of the source');
  return data.sourceId;
}
