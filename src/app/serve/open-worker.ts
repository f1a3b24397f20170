// Opens the background worker with its parts: enrichment, articles and queue.

import { jobKinds } from '../../jobs/job-kinds.ts';
import { startWorker } from '../../jobs/start-worker.ts';
import type { Metrics } from '../../kernel/observability/metrics.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Queue } from '../../kernel/ports/queue.ts';
import { readEditorial } from '../../radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../radar/enrichment/rules/rule-based-enricher.ts';
import { openArchiveIndexer } from '../../radar/publication/archive/index-archive.ts';
import { readRankingRules } from '../../radar/ranking/ranking-rules.ts';
import { openArticlePool } from '../../radar/sources/article/extract-pool.ts';
import { listSources } from '../../radar/sources/list-sources.ts';
import type { AdviserRules } from '../../radar/stories/sync/story-service.ts';
import { openStoryService } from '../../radar/stories/sync/story-service.ts';
import { recordDeletedAccounts } from '../../store/backup/deleted-accounts.ts';
import { backgroundDb } from '../../store/platform/db.ts';
import { openQueue } from '../../store/platform/queue.ts';
import { openRetention } from '../open-retention.ts';
import { workerLine } from '../start-lines.ts';
import { measureLedger } from './measure-ledger.ts';
import { openNotifications } from './notifications/open-notifications.ts';
import { openModel } from './open-model.ts';
import { openModelServices } from './open-model-writers.ts';
import { openReportContext } from './open-report-context.ts';
import { openStoryAdvice } from './open-story-advice.ts';
import type { AppRun } from './run.ts';

/**
 * The worker uses at most this many of the ten database connections of a node. Publishers wait for
 * each other, and model requests hold no connection.
 */
const CONNECTIONS = 7;

export async function openWorker(run: AppRun, shared: Db): Promise<void> {
  const db = backgroundDb(shared, CONNECTIONS);
  const { config, world, robots, options, metrics, components, stop } = run;
  const editorial = await readEditorial(config.file.editorial);
  const enricher = openRuleBasedEnricher(editorial, { siteLanguage: config.language });
  const articles = openArticlePool(world, { size: 2 });
  components.push({ name: 'articles', close: articles.close });
  const reports = await openReportContext(config.file.editorial, {
    language: config.language,
    categories: editorial.categories,
  });
  const model = openModel(run, db);
  // Items that are replayed before the worker starts are old. A model enriches them only when
  // `enrichesReplay` is set.
  const modelUse = { isAllowed: options.enrichesReplay === true };
  const adviser = model && (await openStoryAdvice(config, { world, db, model }));
  const openAdviser = (rules: AdviserRules) =>
    modelUse.isAllowed ? (adviser?.(rules) ?? null) : null;
  const stories = openStoryService(world, db, { editorial: config.file.editorial, openAdviser });
  components.push({ name: 'stories', close: stories.close });
  const rankingRules = await readRankingRules(config.file.editorial);
  const services =
    model &&
    (await openModelServices(config, { editorial, enricher, requestModel: model.requestModel }));
  const modelEnricher = services?.enricher ?? null;
  const { dataDir } = config;
  const deps = { robots, enricher, articles, stories, rankingRules, reports, dataDir };
  const reportContext = { ...reports, prose: services?.prose ?? null };
  const depsWithModel = { ...deps, modelEnricher, reports: reportContext };
  await options.beforeWork?.(db, modelUse.isAllowed ? depsWithModel : deps, stop);
  modelUse.isAllowed = true;
  const queue = await openQueue(world, db, { role: 'worker', kinds: jobKinds });
  components.push({ name: 'queue', close: queue.close });
  measureQueue(metrics, queue);
  measureLedger(run, world, db);
  const fetches = metrics.counter('radar_fetches_total', 'Fetches of sources.', ['outcome']);
  const onFetch = (outcome: string) => {
    fetches.of(outcome).value += 1;
  };
  await recordDeletedAccounts(db, dataDir);
  await startWorker(world, db, {
    ...deps,
    modelEnricher,
    digests: services?.digests ?? null,
    queue,
    onFetch,
    retention: openRetention(world, config),
    reports: reportContext,
  });
  openNotifications(run, db);
  const archive = openArchiveIndexer(world, db);
  components.push({ name: 'archive index', close: archive.close });
  options.terminal.out(workerLine(await listSources(db)));
}

function measureQueue(metrics: Metrics, queue: Queue): void {
  metrics.gauge({
    name: 'radar_queue_jobs',
    help: 'Jobs by queue: waiting and running.',
    labels: ['queue', 'state'],
    read: async () =>
      (await queue.depths()).flatMap(({ name, queued, active }) => [
        { labels: { queue: name, state: 'queued' }, value: queued },
        { labels: { queue: name, state: 'active' }, value: active },
      ]),
  });
}
