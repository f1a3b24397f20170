// A process that fetches one source and enriches its items on each command, like one of several
// workers without coordination. It reads and writes JSON lines.
import { createInterface } from 'node:readline';
import { createEnrichmentDeps } from '../../src/jobs/start-worker.ts';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { systemRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openRobots } from '../../src/kernel/net/robots.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { openArticlePool } from '../../src/radar/sources/article/extract-pool.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';

const [connection = '', sourceId = ''] = process.argv.slice(2);
const clock = runningClock();
const random = systemRandom();
const log = openLog({ level: 'error', now: clock.now });
const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'ContentRadar/test' });
const world = { clock, random, ids: timedIds(clock, random), net, log };
const robots = openRobots(net, clock, 'ContentRadar/test');
const enricher = openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' });
const db = openDb(log, JSON.parse(connection), {
  applicationName: 'radar test worker',
  ...slowConnectOptions,
});
const enrichmentDeps = createEnrichmentDeps(world, db, {
  robots,
  enricher,
  articles: openArticlePool(world),
});

process.stdout.write('ready\n');
for await (const _line of createInterface({ input: process.stdin })) {
  const result = await fetchSource(world, db, robots, sourceId);
  const { signal } = new AbortController();
  const enriched = await enrichItems(world, db, enrichmentDeps, { sourceId, signal });
  process.stdout.write(`${JSON.stringify({ result, enriched })}\n`);
}
process.exit(0);
