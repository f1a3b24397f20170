// Measures and reports the providers that a process calls: the providers of the gateway's
// capabilities, the upstreams of the relay, or both.
import type { CircuitState } from '../../gateway/capabilities/capability.ts';
import {
  type ObservedProvider,
  openProviderReports,
} from '../../gateway/capabilities/provider-reports.ts';
import { hostName } from '../../kernel/files/process.ts';
import type { MetricSample, Metrics } from '../../kernel/observability/metrics.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { AppRun } from './run.ts';

type ReadHealth = () => readonly ObservedProvider[];

const readersByRun = new WeakMap<AppRun, ReadHealth[]>();

/** The metrics are registered once, by the first caller. */
export function watchProviders(run: AppRun, world: World, db: Db, readHealth: ReadHealth): void {
  const registeredReaders = readersByRun.get(run);
  if (registeredReaders !== undefined) {
    registeredReaders.push(readHealth);
    return;
  }
  const healthReaders = [readHealth];
  readersByRun.set(run, healthReaders);
  const readAll: ReadHealth = () => healthReaders.flatMap((read) => read());
  measureProviders(run.metrics, readAll);
  const node = `${hostName()}:${process.pid}`;
  const reports = openProviderReports(world, db, { node, read: readAll });
  run.components.push({ name: 'provider reports', close: reports.close });
}

const states: readonly CircuitState[] = ['closed', 'open', 'half_open', 'off'];

function measureProviders(metrics: Metrics, readHealth: ReadHealth): void {
  const gauge = (
    name: string,
    help: string,
    value: (health: ObservedProvider['health']) => number | null,
  ) =>
    metrics.gauge({
      name: `gateway_provider_${name}`,
      help,
      labels: ['capability', 'provider'],
      read: () =>
        readHealth().flatMap(({ capability, health }): MetricSample[] => {
          const sample = value(health);
          const labels = { capability, provider: health.name };
          return sample === null ? [] : [{ labels, value: sample }];
        }),
    });
  gauge('calls', 'Requests to a provider since the start.', ({ calls }) => calls);
  gauge('failures', 'Failed requests to a provider since the start.', ({ failures }) => failures);
  gauge('latency_seconds', 'Moving average of the latency of a provider.', ({ latencyMs }) =>
    latencyMs === null ? null : latencyMs / 1000,
  );
  gauge(
    'last_success_timestamp_seconds',
    'Time of the last successful request to a provider.',
    (health) => (health.lastSuccessAt === null ? null : health.lastSuccessAt / 1000),
  );
  metrics.gauge({
    name: 'gateway_provider_circuit',
    help: 'Provider in use (closed), paused (open), on trial or switched off: 1 is true.',
    labels: ['capability', 'provider', 'state'],
    read: () =>
      readHealth().flatMap(({ capability, health }) =>
        states.map((state) => {
          const labels = { capability, provider: health.name, state };
          return { labels, value: health.circuit === state ? 1 : 0 };
        }),
      ),
  });
}
