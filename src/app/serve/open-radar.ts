// Opens the radar server with its parts: publication, request filter and API on `RADAR_PORT`.
import { join } from 'node:path';
import { openPushIngester } from '../../jobs/ingest-push.ts';
import { hostName } from '../../kernel/files/process.ts';
import { explainListenFault } from '../../kernel/http/listen-failure.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { openSetupAccess, type SetupAccess } from '../../radar/admin/setup/setup-access.ts';
import { openRadarServer } from '../../radar/api/open-radar-server.ts';
import { openMeter } from '../../radar/api/radar-metrics.ts';
import { openRequestFilter } from '../../radar/api/request-filter/request-filter.ts';
import { openItemRenderer } from '../../radar/api/wire-item.ts';
import { readEditorial } from '../../radar/enrichment/read-editorial.ts';
import { openPages } from '../../radar/pages/open-pages.ts';
import { openActorCount } from '../../radar/publication/count-actors.ts';
import { openPublication, type PublicationNode } from '../../radar/publication/open-publication.ts';
import { listSources } from '../../radar/sources/list-sources.ts';
import { adminPort, metricsAccess, openAdminPort, securityTextOf } from '../side-ports.ts';
import { openRadarAdmin } from './open-radar-admin.ts';
import { isLocalOnly } from './reach.ts';
import { type AppRun, hostInUrl, type ServeOptions } from './run.ts';
import { sendingQueue } from './sending-queue.ts';
import { writeFirstRun } from './write-first-run.ts';

/**
 * The URLs of the gateway and the relay: the configured URL, or the local URL when this process
 * serves the component. A URL is absent when both are missing.
 */
function serviceUrlsOf({ config, options }: AppRun) {
  const urlOf = (part: 'gateway' | 'relay', configuredUrl: string | null, port: number) => {
    const isHere = options.parts.includes(part) && port !== 0;
    return configuredUrl ?? (isHere ? `http://${hostInUrl(config.host)}:${port}` : null);
  };
  const gatewayUrl = urlOf('gateway', config.gatewayUrl, config.gatewayPort);
  const relayUrl = urlOf('relay', config.relayUrl, config.relayPort);
  return { ...(gatewayUrl !== null && { gatewayUrl }), ...(relayUrl !== null && { relayUrl }) };
}

export async function openRadar(run: AppRun, db: Db): Promise<void> {
  const { config, clients, world, options, metrics, components } = run;
  const queue = sendingQueue(run, db);
  const editorial = await readEditorial(config.file.editorial);
  const publication = await openPublication(world, db, thisNode(world, options));
  components.push({ name: 'publication', close: publication.close });
  let { radarPort } = config;
  const site = {
    // Read for every response: with port 0 the address is unknown before the server listens.
    get url() {
      return config.radarUrl ?? `http://${hostInUrl(config.host)}:${radarPort}`;
    },
    name: config.file.name,
    ...serviceUrlsOf(run),
    hasAihotLinks: config.file.aihotLinks,
    language: config.language,
  };
  let isStopping = false;
  const categories = editorial.categories.map((category) => category.id);
  const labels = Object.fromEntries(
    editorial.categories.map(({ id, label }) => [id, label[config.language]]),
  );
  const publicWorld = { ...world, clock: publication.clock };
  const shared = { world: publicWorld, publication, site, categories, labels };
  const pages = openPages(shared);
  const setup = openSetupAccess(world);
  let adminUrl: string | null = null;
  const admin = await openRadarAdmin(run, db, {
    areaUrl: () => adminUrl ?? site.url,
    ...shared,
    editorial: editorial.categories,
    queue,
    setup,
  });
  const context = { ...shared, items: openItemRenderer(site), pages };
  const actors = await openActorCount(world, db);
  components.push({ name: 'actors', close: actors.close });
  const canReadMetrics = metricsAccess(run);
  const server = await openRadarServer(context, {
    host: config.host,
    port: config.radarPort,
    requestFilter: openRequestFilter(world, {
      ...config.file,
      clients,
      onActor: actors.countActor,
    }),
    meter: openMeter(metrics, context),
    ingest: openPushIngester(world, db, queue),
    ...(adminPort(run, 'radar') === null && { admin }),
    operator: {
      findNotReadyReason: () => (isStopping ? 'stopping' : null),
      metrics: async (req) => (canReadMetrics(req) ? metrics.text() : null),
      securityText: () => securityTextOf(run),
    },
  }).catch((error) => {
    throw explainListenFault({ host: config.host, port: radarPort, variable: 'RADAR_PORT' }, error);
  });
  radarPort = server.port;
  components.push({
    name: 'radar',
    close: () => {
      isStopping = true;
      return server.close();
    },
  });
  writeFirstRun(run, { radar_url: site.url });
  options.terminal.out(`Radar     ${site.url}\n`);
  if (adminPort(run, 'radar') !== null) {
    adminUrl = await openAdminPort(run, 'radar', { admin, publicUrl: () => site.url });
  }
  await printSetup(run, db, `${adminUrl ?? site.url}/admin/setup`, setup);
}

/**
 * The next step of a first start. The one-time address is printed only when the servers are local
 * to this machine. Otherwise the operator signs in.
 */
async function printSetup(
  { config, options }: AppRun,
  db: Db,
  url: string,
  setup: SetupAccess,
): Promise<void> {
  if ((await listSources(db)).length > 0) return;
  const query = isLocalOnly(config) ? `?once=${setup.issue()}` : '';
  const passwordFile = join(config.dataDir, 'first-run.json');
  options.terminal.out(`Password  ${passwordFile}\n`);
  options.terminal.out(`Setup     ${url}${query}\n`);
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
