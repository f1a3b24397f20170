// `radar serve`, top to bottom: the database, the publication, the doors, the worker; then a wait
// for a signal, and everything again in reverse within ten seconds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outside, Terminal } from './cli/app.ts';
import type { Config } from './config.ts';
import { jobKinds } from './jobs/job-kinds.ts';
import { startWorker, type WorkerParts } from './jobs/start-worker.ts';
import { pushTaker } from './jobs/take-pushes.ts';
import { cannotListen } from './kernel/cannot-listen.ts';
import type { Db } from './kernel/db.ts';
import { Fault, messageOf } from './kernel/fault.ts';
import { makeFolder } from './kernel/make-folder.ts';
import { type Metrics, openMetrics } from './kernel/metrics.ts';
import { openMetricsAccess } from './kernel/metrics-access.ts';
import { exitAfter, hostName } from './kernel/process.ts';
import type { Queue } from './kernel/queue.ts';
import type { World } from './kernel/world.ts';
import { openGate } from './radar/api/gate/gate.ts';
import { openRadarServer } from './radar/api/open-radar-server.ts';
import { openMeter } from './radar/api/radar-metrics.ts';
import { openItemRenderer } from './radar/api/wire-item.ts';
import { openActorCount } from './radar/publication/count-actors.ts';
import { openPublication, type PublicationNode } from './radar/publication/open-publication.ts';
import { openArticlePool } from './radar/sources/article/extract-pool.ts';
import { listSources } from './radar/sources/list-sources.ts';
import { openDesk } from './radar/understand/open-desk.ts';
import { readEditorial } from './radar/understand/read-editorial.ts';
import { migrate } from './store/migrate.ts';
import type { OpenDatabase } from './store/open-database.ts';
import { openQueue } from './store/queue.ts';
import { takeServeLock } from './store/serve-lock.ts';

export type ServeOptions = {
  readonly parts: readonly string[];
  readonly openDatabase: () => Promise<OpenDatabase>;
  readonly clockOffsetMs: number;
  readonly terminal: Terminal;
  readonly version: string;
  /** Done once the doors are open and before the worker starts; ends early when aborted. */
  readonly beforeWork?: (
    db: Db,
    parts: Omit<WorkerParts, 'queue'>,
    stop: AbortSignal,
  ) => Promise<void>;
};

/** What every part of the process is opened with. */
type Run = Outside & {
  readonly config: Config;
  readonly options: ServeOptions;
  readonly metrics: Metrics;
  /** What is open, last opened last; closed from the end. */
  readonly opened: { readonly name: string; readonly close: () => Promise<void> }[];
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
};

const DRAIN_MS = 9_500;

export async function serve(config: Config, outside: Outside, options: ServeOptions) {
  const stop = signalled(outside.world);
  const run: Run = { ...outside, config, options, metrics: openMetrics(), opened: [], stop };
  try {
    await open(run);
    await aborted(stop);
    options.terminal.note('Stopping: running work is finished first.\n');
  } finally {
    exitAfter(DRAIN_MS);
    for (const { name, close } of run.opened.reverse()) {
      await close().catch((error) =>
        outside.world.log.warn({ part: name, error: messageOf(error) }, 'did not close cleanly'),
      );
    }
  }
}

/**
 * The first SIGINT or SIGTERM asks for an orderly stop; one that comes a second later is
 * impatience and ends the process. An echo at once means nothing: npm passes on the Ctrl-C that
 * the terminal has sent to us already.
 */
function signalled({ clock }: World): AbortSignal {
  const stop = new AbortController();
  let askedAt = 0;
  const ask = () => {
    if (!stop.signal.aborted) askedAt = clock.now();
    else if (clock.now() - askedAt > 1000) process.exit(1);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask);
  return stop.signal;
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function open(run: Run): Promise<void> {
  const { config, options, opened, world } = run;
  opened.push({ name: 'network', close: () => world.net.close() });
  const { db, close } = await options.openDatabase();
  opened.push({ name: 'database', close });
  if (config.databaseUrl === null) await lockFolder(run, db);
  await migrate(world, db);
  if (options.parts.includes('radar')) await openRadar(run, db);
  if (options.parts.includes('worker')) await openWorker(run, db);
  options.terminal.out('Ready. Stop with Ctrl-C.\n');
}

async function lockFolder({ config, world, options, opened }: Run, db: Db): Promise<void> {
  const lock = await takeServeLock(world, db, options.parts);
  if (lock.kind === 'held') {
    opened.push({ name: 'lock', close: lock.release });
    return;
  }
  const who = lock.pid === null ? 'another process' : `process ${lock.pid}`;
  throw new Fault(
    'temporarily_unavailable',
    `${config.dataDir} is served already: ${who} runs the ${lock.part}. ` +
      'Stop it first, or give this one a DATA_DIR of its own.',
  );
}

async function openRadar(run: Run, db: Db): Promise<void> {
  const { config, world, options, metrics, opened } = run;
  const editorial = await readEditorial(config.file.editorial);
  const publication = await openPublication(world, db, thisNode(world, options));
  opened.push({ name: 'publication', close: publication.close });
  let { radarPort } = config;
  const site = {
    // Read with every answer: with port 0 the address is known only once it is open.
    get url() {
      return config.radarUrl ?? `http://${hostInUrl(config.host)}:${radarPort}`;
    },
    name: config.file.name,
    aihotLinks: config.file.aihotLinks,
  };
  let isStopping = false;
  const categories = editorial.categories.map((category) => category.id);
  const context = { world, publication, site, items: openItemRenderer(site), categories };
  const { trustProxy } = config;
  const actors = await openActorCount(world, db);
  opened.push({ name: 'actors', close: actors.close });
  const mayRead = openMetricsAccess({ ...config.file.metrics, trustProxy });
  const server = await openRadarServer(context, {
    host: config.host,
    port: config.radarPort,
    gate: openGate(world, { ...config.file, trustProxy, onActor: actors.seen }),
    meter: openMeter(metrics, context),
    ingest: pushTaker(world, db, openedOnce(run, db)),
    operator: {
      notReady: () => (isStopping ? 'stopping' : null),
      metrics: async (req) => (mayRead(req) ? metrics.text() : null),
    },
  }).catch((error) => {
    throw cannotListen({ host: config.host, port: radarPort, variable: 'RADAR_PORT' }, error);
  });
  radarPort = server.port;
  opened.push({
    name: 'radar',
    close: () => {
      isStopping = true;
      return server.close();
    },
  });
  writeFirstRun(run, site.url);
  options.terminal.out(`Radar     ${site.url}/api/v1/items\n`);
}

/** A queue to send by, opened when it is needed for the first time. */
function openedOnce({ world, opened }: Run, db: Db): () => Promise<Queue> {
  let sender: Promise<Queue> | null = null;
  const open = async () => {
    const queue = await openQueue(world, db, { role: 'sender', kinds: jobKinds });
    opened.push({ name: 'queue of pushes', close: queue.close });
    return queue;
  };
  return () => {
    sender ??= open().catch((error) => {
      sender = null;
      throw error;
    });
    return sender;
  };
}

function thisNode(world: World, { parts, clockOffsetMs }: ServeOptions): PublicationNode {
  return {
    id: world.ids.next(),
    host: hostName(),
    pid: process.pid,
    parts: [...parts],
    started_at: world.clock.now(),
    clock_offset_ms: clockOffsetMs,
  };
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

async function openWorker(run: Run, db: Db): Promise<void> {
  const { config, world, robots, options, metrics, opened, stop } = run;
  const editorial = await readEditorial(config.file.editorial);
  const desk = openDesk(editorial, { siteLanguage: config.language });
  const articles = openArticlePool(world, { size: 2 });
  opened.push({ name: 'articles', close: articles.close });
  await options.beforeWork?.(db, { robots, desk, articles }, stop);
  const queue = await openQueue(world, db, { role: 'worker', kinds: jobKinds });
  opened.push({ name: 'queue', close: queue.close });
  measureQueue(metrics, queue);
  const readings = metrics.counter('radar_readings_total', 'Readings of sources.', ['outcome']);
  const onReading = (outcome: string) => {
    readings.of(outcome).value += 1;
  };
  await startWorker(world, db, { queue, robots, desk, articles, onReading });
  const count = (await listSources(db)).length;
  const hint = 'no sources yet: npx radar source add <address of a feed>';
  options.terminal.out(`Worker    ${count === 0 ? hint : `reading ${count} sources`}\n`);
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

/** The first start leaves a note for whoever comes next; later starts leave it alone. */
function writeFirstRun({ config, world, options }: Run, url: string): void {
  const path = join(config.dataDir, 'first-run.json');
  const note = { version: options.version, at: new Date(world.clock.now()), radar_url: url };
  try {
    makeFolder(config.dataDir, 0o700);
    writeFileSync(path, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    options.terminal.out(`First run ${path}\n`);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) world.log.warn({ path, error: messageOf(error) }, 'first-run.json not written');
  }
}
