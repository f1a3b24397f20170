// Opens the console and the gateway's admin area for a process that serves them.
import { openAccountDeletion } from '../../gateway/accounts/delete-account.ts';
import { openAdmin } from '../../gateway/admin/open-admin.ts';
import { upstreamName } from '../../gateway/capabilities/switches.ts';
import type { ConsoleDeps } from '../../gateway/console/shell/console-context.ts';
import { CHECK_LEDGER } from '../../jobs/job-kinds.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import type { World } from '../../kernel/world.ts';
import { adminUrl } from '../side-ports.ts';
import { openConsole, signUpRules } from './open-console.ts';
import { openOperators } from './open-operators.ts';
import { type AppRun, hostInUrl } from './run.ts';
import { sendingQueue } from './sending-queue.ts';

type GatewayAreaContext = Omit<Parameters<typeof openConsole>[2], 'site' | 'deletion'> & {
  readonly world: World;
  readonly site: Pick<ConsoleDeps['site'], 'url' | 'name'>;
  readonly radarUrl: () => string;
  /** Address of the admin area for operators. */
  readonly areaUrl: () => string;
};

/** Keys are the path prefixes of the areas. */
export async function openGatewayAreas(
  run: AppRun,
  db: Db,
  { world, radarUrl, areaUrl, ...shared }: GatewayAreaContext,
): Promise<{ readonly '/console': FormHandler; readonly '/admin': FormHandler }> {
  const { config, clients, components } = run;
  const { host, language } = config;
  const site = {
    // Read on use: with port 0 the address is unknown before the server listens.
    get url() {
      return shared.site.url;
    },
    get radarUrl() {
      return radarUrl();
    },
    get radarAdminUrl() {
      return adminUrl(run, 'radar', radarUrl());
    },
    relayUrl: config.relayUrl ?? `http://${hostInUrl(host)}:${config.relayPort}`,
    name: shared.site.name,
    language,
  };
  const rules = signUpRules(config);
  const { smtp } = config.file;
  const { idleMinutes } = config.file.accounts;
  const idleMs = idleMinutes === 0 ? null : idleMinutes * MINUTE_MS;
  const { requestsPerSecond: perSecond, burst } = config.file.limits;
  const rate = perSecond === 0 ? null : { perSecond, burst };
  const options = { smtp, rules, clients, components, idleMs, rate };
  const queue = sendingQueue(run, db);
  const { calls, capabilities, limits, chat, topUps } = shared;
  const deletion = await openAccountDeletion(world, db, smtp === undefined ? null : site);
  const admin = openAdmin(
    {
      world,
      db,
      site,
      calls,
      capabilities,
      limits,
      topUps,
      ...(chat && { chat }),
      deletion,
      ...(await openOperators(run, world, db)),
      areaUrl,
      upstreams: config.file.relay.upstreams.map(({ name }) => upstreamName(name)),
      routes: config.file.relay.models,
      costs: config.file.providerCosts,
      queueIntegrityCheck: async () => (await queue()).send(CHECK_LEDGER, 'all', {}),
    },
    clients,
  );
  return {
    '/console': await openConsole(world, db, { ...shared, site, deletion }, options),
    '/admin': admin,
  };
}
