// `radar serve`: opens the database, the publication, the servers and the worker. It then waits for
// a signal and closes everything in reverse order within ten seconds. When settings of the setup
// page have changed, the servers are opened again.
import { isDeepStrictEqual } from 'node:util';
import type { OfflineApp } from '../cli/app.ts';
import type { Config } from '../config.ts';
import { openClientResolver } from '../kernel/client-address/client-address.ts';
import { messageOf } from '../kernel/errors/fault.ts';
import { exitAfter, lowerHelperPriority } from '../kernel/files/process.ts';
import { openMetrics } from '../kernel/observability/metrics.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { readSetupSettings, SETTINGS_CHANNEL } from '../operators/setup-settings.ts';
import { migrate, requireMigrated } from '../store/platform/migrate.ts';
import { listen } from '../store/platform/notifications.ts';
import { replicaLagMs } from '../store/platform/replica.ts';
import { lockServing } from '../store/platform/serve-lock.ts';
import { applySettings } from './apply-settings.ts';
import { refuseOpenProxies } from './refuse-open-proxies.ts';
import { alreadyServedFault } from './serve/already-served.ts';
import { openAlertWatch } from './serve/notifications/open-notifications.ts';
import { openGateway } from './serve/open-gateway.ts';
import { openRadar } from './serve/open-radar.ts';
import { openRelay } from './serve/open-relay.ts';
import { openWorker } from './serve/open-worker.ts';
import type { AppRun, ServeOptions } from './serve/run.ts';
import { setCollectionLimits } from './set-collection-limits.ts';
import { openMetricsPort } from './side-ports.ts';
import { collectStartLines } from './start-lines.ts';

/** The process exits after this time, even when a component is still open. */
const DRAIN_MS = 9_500;
/** In this time a proxy finishes its requests, and its new connections are refused. */
const LINGER_MS = 1_500;
/** Time for the browser to request the page after the setup. */
const REOPEN_AFTER_MS = 700;

export async function serve(config: Config, offlineApp: OfflineApp, options: ServeOptions) {
  setCollectionLimits();
  lowerHelperPriority();
  const stop = stopSignal(offlineApp.world);
  const clients = openClientResolver({
    trustProxy: config.trustProxy,
    trustProxyHeader: config.trustProxyHeader,
    blockedNetworks: config.file.blocked.networks,
  });
  const startLines = collectStartLines(options.terminal, {
    dataDir: config.dataDir,
    logFile: options.logFile ?? null,
  });
  const baseComponents: AppRun['components'] = [];
  const commonDeps = { ...offlineApp, config, clients, stop };
  try {
    const db = await openBase({
      ...commonDeps,
      options,
      metrics: openMetrics(),
      components: baseComponents,
    });
    // Each round opens all servers. New settings of the setup page start the next round.
    for (let round = 1; !stop.aborted; round += 1) {
      const { beforeWork, ...otherOptions } = options;
      const run: AppRun = {
        ...commonDeps,
        config: await readServedConfig(config, offlineApp.world, db),
        options: {
          ...otherOptions,
          ...(round === 1 && beforeWork !== undefined && { beforeWork }),
          terminal: startLines.terminal,
        },
        metrics: openMetrics(),
        components: [],
      };
      try {
        await openComponents(run, db);
        if (round === 1) startLines.finish();
        await Promise.race([waitForAbort(stop), waitForSettings(run, config, db)]);
        if (stop.aborted) options.terminal.note('Stopping: running work is finished first.\n');
      } catch (error) {
        exitAfter(DRAIN_MS);
        throw error;
      } finally {
        if (stop.aborted) {
          exitAfter(DRAIN_MS);
          await refuseConnections(offlineApp.world, run.components);
        }
        await closeAll(offlineApp.world, run.components);
      }
    }
  } finally {
    exitAfter(DRAIN_MS);
    await closeAll(offlineApp.world, baseComponents);
  }
}

/** A proxy sends its next requests to other nodes before this node closes open connections. */
async function refuseConnections(
  { clock }: World,
  components: AppRun['components'],
): Promise<void> {
  const connectionsEnded = Promise.all(components.map(({ stopListening }) => stopListening?.()));
  const lingerEnd = new AbortController();
  await Promise.race([clock.sleep(LINGER_MS, lingerEnd.signal).catch(() => {}), connectionsEnded]);
  lingerEnd.abort();
}

async function closeAll({ log }: World, components: AppRun['components']): Promise<void> {
  for (const { name, close } of components.toReversed()) {
    await close().catch((error) =>
      log.warn({ part: name, error: messageOf(error) }, 'a component did not close cleanly'),
    );
  }
}

/**
 * The first SIGINT or SIGTERM starts an orderly shutdown. A further signal ends the process, unless
 * it arrives within a second: npm forwards a Ctrl-C that the terminal also sends to this process.
 */
function stopSignal({ clock }: World): AbortSignal {
  const stop = new AbortController();
  let stopRequestedAt = 0;
  const requestStop = () => {
    if (!stop.signal.aborted) stopRequestedAt = clock.now();
    else if (clock.now() - stopRequestedAt > 1000) process.exit(1);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, requestStop);
  return stop.signal;
}

const readServedConfig = async (config: Config, world: World, db: Db): Promise<Config> =>
  applySettings(config, await readSetupSettings(world, db));

/** Resolves a moment after any process has stored settings that change the configuration. */
async function waitForSettings(
  { world, config: servedConfig, components, stop }: AppRun,
  config: Config,
  db: Db,
): Promise<void> {
  const change = Promise.withResolvers<void>();
  const checkSettings = async () => {
    if (isDeepStrictEqual(await readServedConfig(config, world, db), servedConfig)) return;
    await world.clock.sleep(REOPEN_AFTER_MS, stop);
    change.resolve();
  };
  const subscription = { channel: SETTINGS_CHANNEL, applicationName: 'radar settings' };
  const listener = listen(world, db, subscription, () => {
    checkSettings().catch((error) => {
      if (!stop.aborted) world.log.warn({ error: messageOf(error) }, 'settings were not read');
    });
  });
  components.push({ name: 'settings', close: listener.close });
  return change.promise;
}

const waitForAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Network, database and the lock of the data folder stay open until the process ends. */
async function openBase(run: AppRun): Promise<Db> {
  const { config, options, components, world } = run;
  components.push({ name: 'network', close: () => world.net.close() });
  await refuseOpenProxies(config, world);
  const { db, close } = await options.openDatabase();
  components.push({ name: 'database', close });
  if (config.databaseUrl === null) await lockFolder(run, db);
  if (options.migrates === false) await requireMigrated(db);
  else await migrate(world, db);
  return db;
}

async function openComponents(run: AppRun, db: Db): Promise<void> {
  const { options } = run;
  if (options.parts.includes('radar')) await openRadar(run, db);
  if (options.parts.includes('gateway')) await openGateway(run, db);
  if (options.parts.includes('relay')) await openRelay(run, db);
  if (options.parts.includes('worker')) await openWorker(run, db);
  measureReplica(run, db);
  await openMetricsPort(run);
  openAlertWatch(run, db);
  options.terminal.out('Ready. Stop with Ctrl-C.\n');
}

function measureReplica({ config, metrics }: AppRun, db: Db): void {
  if (config.databaseReadUrl === null) return;
  metrics.gauge({
    name: 'database_replica_lag_seconds',
    help: 'Age of the data in the read replica; 0 while the primary serves its reads.',
    read: () => [{ value: replicaLagMs(db) / 1000 }],
  });
}

async function lockFolder({ config, world, options, components }: AppRun, db: Db): Promise<void> {
  const lock = await lockServing(world, db, options.parts);
  if (lock.kind === 'held') {
    components.push({ name: 'lock', close: lock.release });
    return;
  }
  throw alreadyServedFault(config.dataDir, lock);
}
