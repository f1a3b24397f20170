// Provider health for operators. Each process writes its observations every few seconds, and a page
// shows the recent reports of all processes.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  forgetNodeHealth,
  readProviderHealth,
  saveProviderHealth,
} from '../../store/gateway/provider-health.ts';
import type { ProviderHealth } from './capability.ts';

/** Health of a provider within one capability. */
export type ProviderSeen = { readonly capability: string; readonly health: ProviderHealth };

export type ProviderReport = ProviderSeen & {
  /** The process that saw it. */
  readonly node: string;
  readonly at: number;
};

const EVERY_MS = 5_000;
/** A process that is silent for so long is gone. */
const SILENT_MS = 60_000;

/** Writes reports until it is closed, then deletes this process's reports. */
export function openProviderReports(
  world: World,
  db: Db,
  { node, read }: { readonly node: string; readonly read: () => readonly ProviderSeen[] },
): { close(): Promise<void> } {
  const stop = new AbortController();
  const write = async () => {
    const at = world.clock.now();
    const rows = read().map(({ capability, health }) => ({
      node,
      capability,
      provider: health.name,
      circuit: health.circuit,
      at,
      calls: health.calls,
      failures: health.failures,
      latency_ms: health.latencyMs,
      last_success_at: health.lastSuccessAt,
      last_failure_at: health.lastFailureAt,
    }));
    await saveProviderHealth(db, onePerName(rows), at - SILENT_MS);
  };
  const writing = (async () => {
    while (!stop.signal.aborted) {
      await write().catch((error) =>
        world.log.debug({ error: messageOf(error) }, 'health of providers not written'),
      );
      await world.clock.sleep(EVERY_MS, stop.signal).catch(() => {});
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await writing;
      await forgetNodeHealth(db, node).catch(() => {});
    },
  };
}

/** Of two providers with one name, which share a kill switch, the one with more failures. */
function onePerName<R extends { capability: string; provider: string; failures: number }>(
  rows: readonly R[],
): readonly R[] {
  const byName = new Map<string, R>();
  for (const row of rows) {
    const name = `${row.capability} ${row.provider}`;
    const known = byName.get(name);
    if (known === undefined || known.failures < row.failures) byName.set(name, row);
  }
  return [...byName.values()];
}

/** Latest report of every live process, by capability, provider and process. */
export async function listProviderReports(
  world: World,
  db: Db,
): Promise<readonly ProviderReport[]> {
  const rows = await readProviderHealth(db, world.clock.now() - SILENT_MS);
  return rows.map((row) => ({
    node: row.node,
    capability: row.capability,
    at: row.at,
    health: {
      name: row.provider,
      circuit: row.circuit,
      healthy: row.circuit === 'closed',
      calls: row.calls,
      failures: row.failures,
      latencyMs: row.latency_ms,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
    },
  }));
}
