// Opens the gateway server with its parts: wallet, capabilities, keys, limits and API on
// `GATEWAY_PORT`.

import type { Config } from '../../config.ts';
import { checkDatabase } from '../../gateway/accounts/account.ts';
import { openGatewayServer } from '../../gateway/api/open-gateway-server.ts';
import { type JobsOptions, openJobs } from '../../gateway/calls/jobs/open-jobs.ts';
import { openMediaStore } from '../../gateway/capabilities/media/open-media-store.ts';
import { openCapabilities } from '../../gateway/capabilities/open-capabilities.ts';
import { providerWorld, type Switches, upstreamName } from '../../gateway/capabilities/switches.ts';
import { openRoutes } from '../../gateway/relay/relay-config.ts';
import { readCap, setDefaultCap } from '../../gateway/wallet/credits/allowance-cap.ts';
import { openTopUps, type TopUps } from '../../gateway/wallet/top-ups/open-top-ups.ts';
import { runSyncLoop } from '../../gateway/wallet/top-ups/sync-loop.ts';
import { openWebhookSender } from '../../gateway/webhooks/open-sender.ts';
import { publishJobFinished } from '../../gateway/webhooks/publish-job-finished.ts';
import { explainListenFault } from '../../kernel/http/listen-failure.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { openOutbox } from '../../store/gateway/outgoing-mails.ts';
import { adminPort, metricsAccess, openAdminPort, securityTextOf } from '../side-ports.ts';
import { describeAccess } from './describe-access.ts';
import { makeFirstAccount } from './first-account.ts';
import { measureLedger } from './measure-ledger.ts';
import { limitsOf, openCallDeps } from './open-call-deps.ts';
import { signUpRules } from './open-console.ts';
import { openGatewayAreas } from './open-gateway-areas.ts';
import { type AppRun, hostInUrl } from './run.ts';
import { watchProviders } from './watch-providers.ts';
import { writeFirstRun } from './write-first-run.ts';

export async function openGateway(run: AppRun, db: Db): Promise<void> {
  const { config, clients, options, metrics, components } = run;
  const { gatewayWorld: world = run.world } = options;
  const { host } = config;
  let port = config.gatewayPort;
  const site = {
    // Read on use: with port 0 the address is unknown before the server listens.
    get url() {
      return config.gatewayUrl ?? `http://${hostInUrl(host)}:${port}`;
    },
    name: config.file.name,
    radarUrl: config.radarUrl ?? `http://${hostInUrl(host)}:${config.radarPort}`,
    relayUrl: config.relayUrl ?? `http://${hostInUrl(host)}:${config.relayPort}`,
  };
  const limits = limitsOf(config);
  const shared = await openCallDeps(run, db);
  const { switches } = shared;
  const radarUrl = () => site.radarUrl;
  const siteUrl = () => site.url;
  const { media, capabilities } = openWatchedCapabilities(run, db, { switches, siteUrl, radarUrl });
  const jobs = openJobsWithEvents(run, world, db, {
    wallet: shared.wallet,
    capabilities,
    switches,
  });
  await openCustomerNotices(run, world, db, site);
  measureLedger(run, world, db);
  const topUps = await openTopUps(world, db, {
    config: config.file.topUps,
    siteUrl,
    siteName: site.name,
  });
  const canReadMetrics = metricsAccess(run);
  let isStopping = false;
  const context = {
    world,
    db,
    site,
    chat: relayStatusOf(config, switches),
    admission: shared.admission,
    calls: { ...shared, jobs },
    capabilities,
    media,
    limits,
    topUps,
    relay: {
      routeOf: openRoutes(config.file.relay.models),
      price: config.file.relay.price ?? null,
    },
  };
  await setDefaultCap(world, db, config.file.accounts.allowanceCapCny);
  let adminUrl: string | null = null;
  const { '/admin': admin, ...pages } = await openGatewayAreas(run, db, {
    ...context,
    site,
    radarUrl,
    areaUrl: () => adminUrl ?? site.url,
  });
  const hasAdminPort = adminPort(run, 'gateway') !== null;
  const server = await openGatewayServer(context, {
    host,
    port,
    clients,
    metrics,
    pages: hasAdminPort ? pages : { ...pages, '/admin': admin },
    operator: {
      findNotReadyReason: async () => (isStopping ? 'stopping' : findDatabaseProblem(world, db)),
      metrics: async (req) => (canReadMetrics(req) ? metrics.text() : null),
      securityText: () => securityTextOf(run),
    },
  }).catch((error) => {
    throw explainListenFault({ host, port, variable: 'GATEWAY_PORT' }, error);
  });
  port = server.port;
  components.push({
    name: 'gateway',
    stopListening: server.stopListening,
    close: () => {
      isStopping = true;
      jobs.stopWaiting();
      return server.close();
    },
  });
  startTopUpSync(run, world, topUps);
  const firstAccount = await makeFirstAccount({ ...run, world }, db);
  if (firstAccount !== null) {
    await options.onFirstAccount?.(db, firstAccount.id);
    // Writes again, because another process may have overwritten the file at the same moment.
    writeFirstRun(run, { ...firstAccount.facts, gateway_url: site.url }, { replacesValues: true });
  }
  options.terminal.out(`Gateway   ${site.url}/console\n`);
  if (hasAdminPort) adminUrl = await openAdminPort(run, 'gateway', { admin, publicUrl: siteUrl });
  await printAccess(run, world, db);
}

async function printAccess({ config, options }: AppRun, world: World, db: Db): Promise<void> {
  const cap = await readCap(world, db);
  for (const line of describeAccess(config, signUpRules(config), cap)) options.terminal.out(line);
}

/** Opens the webhooks and alerts of customers. A mail server also sends the alerts. */
async function openCustomerNotices(
  { config, components }: AppRun,
  world: World,
  db: Db,
  site: { readonly url: string; readonly name: string },
): Promise<void> {
  const { language } = config;
  const mailSite = {
    get url() {
      return site.url;
    },
    name: site.name,
    language,
  };
  const mail =
    config.file.smtp === undefined ? null : { site: mailSite, outbox: await openOutbox(world, db) };
  components.push({ name: 'webhooks', close: openWebhookSender(world, db, mail).close });
}

function startTopUpSync({ components }: AppRun, world: World, topUps: TopUps): void {
  const stop = new AbortController();
  const syncLoop = runSyncLoop(world, topUps, stop.signal);
  components.push({
    name: 'top-ups',
    close: () => {
      stop.abort();
      return syncLoop;
    },
  });
}

/** The available capabilities and their providers. Each provider is watched. */
function openWatchedCapabilities(
  run: AppRun,
  db: Db,
  context: {
    readonly switches: Switches;
    readonly siteUrl: () => string;
    readonly radarUrl: () => string;
  },
) {
  const { config, options } = run;
  const { gatewayWorld: world = run.world } = options;
  const { siteUrl, radarUrl, switches } = context;
  const { providers } = config.file;
  const media = openMediaStore(world, providers.media, { dataDir: config.dataDir, siteUrl });
  const callWorld = providerWorld(world, switches);
  // Without a search engine, the installation's own radar is searched over HTTP, like any other
  // provider.
  const capabilities = openCapabilities(callWorld, providers, media, { radarUrl });
  watchProviders(run, world, db, () =>
    capabilities.flatMap(({ id, health }) =>
      health().providers.map((provider) => ({ capability: id, health: provider })),
    ),
  );
  return { media, capabilities };
}

/** Jobs and their completion events. */
function openJobsWithEvents(
  { config, components }: AppRun,
  world: World,
  db: Db,
  deps: Pick<JobsOptions, 'wallet' | 'capabilities' | 'switches'>,
) {
  const lifeMs = config.file.gateway.jobMinutes * MINUTE_MS;
  const onEnd: JobsOptions['onEnd'] = (tx, ended) => publishJobFinished(world, tx, ended);
  const jobs = openJobs(world, db, { ...deps, lifeMs, onEnd });
  components.push({ name: 'jobs', close: jobs.close });
  return jobs;
}

function relayStatusOf({ file: { relay } }: Config, switches: Switches) {
  const configured = relay.upstreams.length > 0;
  return {
    configured,
    // Only the process that calls an upstream measures its health.
    get healthy() {
      return relay.upstreams.some(({ name }) => !switches.isOff('provider', upstreamName(name)));
    },
  };
}

const READINESS_TIMEOUT_MS = 1_500;

/** Null: the database responds. */
export async function findDatabaseProblem({ clock }: World, db: Db): Promise<string | null> {
  const stop = new AbortController();
  const readinessTimeout = clock.sleep(READINESS_TIMEOUT_MS, stop.signal).then(
    () => 'the database does not answer',
    () => null,
  );
  const check = checkDatabase(db).then(
    () => null,
    () => 'the database does not answer',
  );
  try {
    return await Promise.race([check, readinessTimeout]);
  } finally {
    stop.abort();
  }
}
