// The composition root. It reads the configuration, creates the World and the parts of the
// application, and runs a command. Only this file chooses the real clock, randomness, network and
// database.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { openRetention } from './app/open-retention.ts';
import type { BackupDeps } from './app/serve/back-up-and-restore.ts';
import type { App, CliApp, OfflineApp } from './cli/app.ts';
import { buildProgram } from './cli/program.ts';
import { type Config, readConfig } from './config.ts';
import { FETCH_SOURCE, jobKinds } from './jobs/job-kinds.ts';
import { timedIds } from './kernel/crypto/ids.ts';
import { systemRandom } from './kernel/crypto/random.ts';
import { Fault, messageOf } from './kernel/errors/fault.ts';
import { lowerPriority } from './kernel/files/process.ts';
import { parseEgressProxy } from './kernel/net/egress-proxy.ts';
import { openNet } from './kernel/net/open-net.ts';
import { openRobots } from './kernel/net/robots.ts';
import { openLog } from './kernel/observability/log.ts';
import type { Queue } from './kernel/ports/queue.ts';
import { runningClock } from './kernel/time/clock.ts';
import type { World } from './kernel/world.ts';
import type { OpenDatabase } from './store/platform/open-database.ts';

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const version: string = packageJson.version;

type WorldOptions = {
  readonly logLevel?: Config['file']['logLevel'];
  readonly logFile?: string | null;
  readonly offsetMs?: number | undefined;
};

function openWorld(config: Config, options: WorldOptions = {}): World {
  const { logLevel = config.file.logLevel, logFile = null, offsetMs } = options;
  const now = Date.now();
  const clock = runningClock(offsetMs ?? (config.now === null ? 0 : config.now - now));
  const random = systemRandom();
  const log = openLog({ level: logLevel, now: clock.now, file: logFile });
  const { privateHosts, politenessMs, perHostConcurrency } = config.file.network;
  const { proxy, proxies } = readProxies(config);
  const net = openNet({
    clock,
    privateHosts,
    politenessMs,
    perHostConcurrency,
    userAgent: userAgent(config),
    proxy,
    proxies,
  });
  return { clock, random, ids: timedIds(clock, random), net, log };
}

function readProxies({ file }: Config) {
  const { proxy, proxies, resolve } = file.network;
  try {
    const proxyNames = Object.entries(proxies).map(
      ([name, address]) => [name, parseEgressProxy(name, address, resolve)] as const,
    );
    return {
      proxy: proxy === undefined ? null : parseEgressProxy('default', proxy, resolve),
      proxies: Object.fromEntries(proxyNames),
    };
  } catch (error) {
    throw new Fault('invalid_request', `network: ${messageOf(error)}.`);
  }
}

function userAgent(config: Config): string {
  const contact = config.radarUrl === null ? '' : `; +${config.radarUrl}/about`;
  return `ContentRadar/${version} (feed reader${contact})`;
}

function makeOfflineApp(config: Config, world: World): OfflineApp {
  return { world, robots: openRobots(world.net, world.clock, userAgent(config)) };
}

// Modules that only some commands need are loaded on demand, so `source try` starts within a third
// of a second.
async function openDatabaseOf(config: Config, world: World): Promise<OpenDatabase> {
  const { openDatabase } = await import('./store/platform/open-database.ts');
  return openDatabase(world, { ...config, isDurable: true });
}

/**
 * The database of a command beside serving processes. An embedded server that starts here keeps the
 * normal priority, because serving processes may share it.
 */
async function openForCommand(config: Config, world: World): Promise<OpenDatabase> {
  const database = await openDatabaseOf(config, world);
  lowerPriority();
  return database;
}

async function migrateDatabase(world: World, db: OpenDatabase['db']): Promise<readonly string[]> {
  const { migrate } = await import('./store/platform/migrate.ts');
  const { makePartitions } = await import('./store/platform/partitions.ts');
  const applied = await migrate(world, db);
  await makePartitions(world, db);
  return applied;
}

/** The configuration of a serving process: it includes the values of the setup page. */
async function readServedConfig(
  config: Config,
  world: World,
  db: OpenDatabase['db'],
): Promise<Config> {
  const { applySettings } = await import('./app/apply-settings.ts');
  const { readSetupSettings } = await import('./operators/setup-settings.ts');
  return applySettings(config, await readSetupSettings(world, db));
}

async function readCategoriesOf(folder: string): Promise<readonly string[]> {
  const { readEditorial } = await import('./radar/enrichment/read-editorial.ts');
  const { categories } = await readEditorial(folder);
  return categories.map(({ id }) => id);
}

async function openReportContextOf({ file, language }: Config) {
  const { readEditorial } = await import('./radar/enrichment/read-editorial.ts');
  const { openReportContext } = await import('./app/serve/open-report-context.ts');
  const { categories } = await readEditorial(file.editorial);
  return openReportContext(file.editorial, { language, categories });
}

/**
 * Opens the database without a migration. A backup copies an older database unchanged, and a
 * restore needs an empty database.
 */
async function withUnmigratedDatabase<T>(work: (deps: BackupDeps) => Promise<T>): Promise<T> {
  const config = readConfig();
  const world = quietWorld(config);
  try {
    return await work({ world, config, openDatabase: () => openForCommand(config, world) });
  } finally {
    await world.net.close();
  }
}

/**
 * The World of a command. Its results go to standard output, so the log has only warnings and
 * errors.
 */
const quietWorld = (config: Config, offsetMs?: number) =>
  openWorld(config, { logLevel: 'warn', offsetMs });

/**
 * Runs a command on the database, with the clock and the settings of the serving processes.
 * `servedConfig`: the configuration with the values of the setup page.
 */
async function withRadar<T>(work: (app: CliApp, servedConfig: Config) => Promise<T>): Promise<T> {
  const config = readConfig();
  const migrationWorld = quietWorld(config);
  const { db, close } = await openForCommand(config, migrationWorld);
  try {
    await migrateDatabase(migrationWorld, db);
    const { readServedClockOffset } = await import('./store/platform/nodes.ts');
    // A serving process may use another time (RADAR_NOW). Commands use the same time.
    const offsetMs = config.now === null ? await readServedClockOffset(db) : undefined;
    const world = quietWorld(config, offsetMs);
    // The queue is opened on first use, because most commands send no job.
    const sender: { queue?: Promise<Queue> } = {};
    const queueFetch = async (sourceId: string) => {
      const { openQueue } = await import('./store/platform/queue.ts');
      sender.queue ??= openQueue(world, db, { role: 'sender', kinds: jobKinds });
      await (await sender.queue).send(FETCH_SOURCE, sourceId, { sourceId });
    };
    try {
      const offlineApp = makeOfflineApp(config, world);
      const radarConfig = await readServedConfig(config, world, db);
      const app = {
        ...offlineApp,
        db,
        queueFetch,
        name: radarConfig.file.name,
        zone: radarConfig.zone,
        editorialFolder: radarConfig.file.editorial,
        isEditorialFixed: radarConfig.isFixed.editorial,
        readCategories: readCategoriesOf,
        keysPerAccount: radarConfig.file.gateway.keysPerAccount,
        openReportContext: () => openReportContextOf(radarConfig),
        openRetention: () => openRetention(world, radarConfig),
        openChannels: async () => {
          const { openChannelTest } = await import(
            './app/serve/notifications/open-notifications.ts'
          );
          return openChannelTest(radarConfig);
        },
      };
      return await work(app, radarConfig);
    } finally {
      await (await sender.queue)?.close();
      await world.net.close();
    }
  } finally {
    await migrationWorld.net.close();
    await close();
  }
}

const app: App = {
  terminal: {
    isInteractive: process.stderr.isTTY,
    out: (text) => {
      process.stdout.write(text);
    },
    note: (text) => {
      process.stderr.write(text);
    },
  },
  serve: async ({ only, migrate, now }) => {
    const config = readConfig(now === undefined ? {} : { now });
    // A terminal shows only five lines; the log goes to a file unless its level is set.
    const hasShortOutput = app.terminal.isInteractive && !config.hasLogLevel;
    const logFile = hasShortOutput ? join(config.dataDir, 'radar.log') : null;
    const world = openWorld(config, { logFile });
    const { serve } = await import('./app/serve.ts');
    await serve(config, makeOfflineApp(config, world), {
      parts: only,
      migrates: migrate,
      logFile,
      openDatabase: () => openDatabaseOf(config, world),
      clockOffsetMs: world.clock.now() - Date.now(),
      terminal: app.terminal,
      version,
    });
  },
  migrate: async () => {
    const config = readConfig();
    const world = quietWorld(config);
    const { db, close } = await openDatabaseOf(config, world);
    try {
      return await migrateDatabase(world, db);
    } finally {
      await close();
    }
  },
  backupPassphrase: () => readConfig().backupPassphrase,
  backUp: async (path, passphrase, onProgress) => {
    const { backUp } = await import('./app/serve/back-up-and-restore.ts');
    return withUnmigratedDatabase((deps) =>
      backUp(deps, { path, passphrase, onProgress, version }),
    );
  },
  restore: async (options) => {
    const { restore } = await import('./app/serve/back-up-and-restore.ts');
    return withUnmigratedDatabase((deps) => restore(deps, options));
  },
  checkBackup: async (path, passphrase) =>
    (await import('./app/serve/back-up-and-restore.ts')).checkBackup(path, passphrase),
  readPacks: async () => {
    const { readPacks } = await import('./radar/sources/setup/source-packs.ts');
    return readPacks(readConfig().file.editorial);
  },
  readTemplateAddresses: async () => {
    const { readTemplateAddresses } = await import('./radar/sources/setup/template-addresses.ts');
    return readTemplateAddresses(readConfig().file.editorial);
  },
  openStoryRules: async () => {
    const { readStoryRules } = await import('./radar/stories/rules/read-story-rules.ts');
    return readStoryRules(readConfig().file.editorial);
  },
  openEnricher: async () => {
    const { file, language } = readConfig();
    const { readEditorial } = await import('./radar/enrichment/read-editorial.ts');
    const { openRuleBasedEnricher } = await import(
      './radar/enrichment/rules/rule-based-enricher.ts'
    );
    const editorial = await readEditorial(file.editorial);
    const enricher = openRuleBasedEnricher(editorial, { siteLanguage: language });
    const categories = editorial.categories.map((category) => category.id);
    return { enricher, categories, labelsFile: join(file.editorial, 'labels/ai-news.jsonl') };
  },
  evaluate: async (model, work) => {
    const { evaluateRules, evaluateModel } = await import('./app/serve/open-evaluation.ts');
    if (model === false)
      return app.withOfflineApp(({ world }) => evaluateRules(readConfig(), world, work));
    await withRadar(({ world, db }, servedConfig) =>
      evaluateModel(servedConfig, { world, db, name: model === true ? null : model }, work),
    );
  },
  advise: async (model, work) => {
    const { adviseStories } = await import('./app/serve/open-story-advice.ts');
    const name = model === true ? null : model;
    await withRadar(({ world, db }, servedConfig) =>
      adviseStories(servedConfig, { world, db, name }, (adviser) => work(world, adviser)),
    );
  },
  checkProviders: async (options) => {
    const { checkProviders } = await import('./app/serve/check-providers.ts');
    return app.withOfflineApp(({ world }) => checkProviders(readConfig(), world, options));
  },
  withOfflineApp: async (work) => {
    const config = readConfig();
    const world = quietWorld(config);
    try {
      return await work(makeOfflineApp(config, world));
    } finally {
      await world.net.close();
    }
  },
  withApp: withRadar,
};

async function main(): Promise<number> {
  const program = buildProgram(app, version);
  try {
    await program.parseAsync(process.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const stack = error instanceof Fault ? '' : `\n${error instanceof Error ? error.stack : ''}`;
    process.stderr.write(`radar: ${messageOf(error)}${stack}\n`);
    return 1;
  }
}

process.exitCode = await main();
