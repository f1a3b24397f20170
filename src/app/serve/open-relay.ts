// Opens the chat relay for a process that serves it: its upstreams, and its server on `RELAY_PORT`.
import { openCallAccounting } from '../../gateway/api/relay/call-accounting.ts';
import { openRelayServer } from '../../gateway/api/relay/open-relay-server.ts';
import { upstreamName } from '../../gateway/capabilities/switches.ts';
import { openCallServices } from '../../gateway/relay/open-call-services.ts';
import { openSandboxes } from '../../gateway/relay/upstream/sandbox-upstream.ts';
import { openUpstreamHealth } from '../../gateway/relay/upstream/upstream-health.ts';
import { openUpstreams } from '../../gateway/relay/upstream/upstreams.ts';
import { openUsageRecorder } from '../../gateway/relay/usage-recorder.ts';
import { explainListenFault } from '../../kernel/http/listen-failure.ts';
import { openStreamingClients } from '../../kernel/net/streaming-client.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { metricsAccess, securityTextOf } from '../side-ports.ts';
import { measureLedger } from './measure-ledger.ts';
import { openCallDeps } from './open-call-deps.ts';
import { findDatabaseProblem } from './open-gateway.ts';
import { type AppRun, hostInUrl } from './run.ts';
import { watchProviders } from './watch-providers.ts';
import { writeFirstRun } from './write-first-run.ts';

export async function openRelay(run: AppRun, db: Db): Promise<void> {
  const { config, clients, world, options, metrics, components } = run;
  const { host, relayPort: port } = config;
  const { relay } = config.file;
  const calls = await openCallDeps(run, db);
  const streamingClients = openStreamingClients();
  const stop = new AbortController();
  components.push({
    name: 'connections to upstreams',
    close: async () => {
      stop.abort();
      streamingClients.close();
    },
  });
  const upstreams = openUpstreams(world, relay, {
    clients: streamingClients,
    stop: stop.signal,
    openHealth: (upstream) => {
      const name = upstreamName(upstream);
      const isOff = () => calls.switches.isOff('provider', name);
      const health = openUpstreamHealth(world.clock, { name, isOff });
      watchProviders(run, world, db, () => [{ capability: 'chat', health: health.health() }]);
      return health;
    },
  });
  const context = {
    ...calls,
    upstreams,
    sandboxOf: openSandboxes(world, stop.signal),
    ...openCallServices(world),
    usage: openUsageRecorder(world, db),
    accounting: openCallAccounting(world, calls.wallet),
    price: relay.price ?? null,
  };
  measureLedger(run, world, db);
  const canReadMetrics = metricsAccess(run);
  let isStopping = false;
  const server = await openRelayServer(context, {
    host,
    port,
    clients,
    metrics,
    operator: {
      findNotReadyReason: async () => (isStopping ? 'stopping' : findDatabaseProblem(world, db)),
      metrics: async (req) => (canReadMetrics(req) ? metrics.text() : null),
      securityText: () => securityTextOf(run),
    },
  }).catch((error) => {
    throw explainListenFault({ host, port, variable: 'RELAY_PORT' }, error);
  });
  components.push({
    name: 'relay',
    stopListening: server.stopListening,
    close: () => {
      isStopping = true;
      return server.close();
    },
  });
  const url = config.relayUrl ?? `http://${hostInUrl(host)}:${server.port}`;
  writeFirstRun(run, { relay_url: url });
  options.terminal.out(`Relay     ${url}/relay/v1\n`);
}
