// Writes and reads reports of provider health for operators. Each process writes its observations
// every few seconds, and a page shows the recent reports of all processes.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  addProviderHours,
  deleteNodeHealth,
  type ProviderHealthRow,
  readProviderHealth,
  readProviderHours,
  saveProviderHealth,
} from '../../store/gateway/provider-health.ts';
import type { ProviderHealth } from './capability.ts';

/** Health of a provider within one capability. */
export type ObservedProvider = { readonly capability: string; readonly health: ProviderHealth };

export type ProviderReport = ObservedProvider & {
  /** The process that made the observations. */
  readonly node: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

const REPORT_INTERVAL_MS = 5_000;
/** Reports of a process that are older than this are ignored and deleted. */
const SILENT_MS = 60_000;
const HOURS_KEPT_MS = 90 * DAY_MS;

/** Writes reports until it is closed, then deletes this process's reports. */
export function openProviderReports(
  world: World,
  db: Db,
  { node, read }: { readonly node: string; readonly read: () => readonly ObservedProvider[] },
): { close(): Promise<void> } {
  const stop = new AbortController();
  const reportedCounts = new Map<string, { readonly calls: number; readonly failures: number }>();
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
      is_account_refused: health.isAccountRefused ?? false,
    }));
    await saveProviderHealth(db, uniqueByName(rows), at - SILENT_MS);
    await addHours(uniqueByName(rows), at);
  };
  /**
   * Adds the counts since the last successful report. After a failed report, the
   * next report includes the counts of both.
   */
  const addHours = async (rows: readonly ProviderHealthRow[], at: number) => {
    const hour = at - (at % HOUR_MS);
    const changedRows = rows.flatMap(({ capability, provider, calls, failures, latency_ms }) => {
      const reported = reportedCounts.get(`${capability} ${provider}`) ?? { calls: 0, failures: 0 };
      const newCalls = Math.max(0, calls - reported.calls);
      const newFailures = Math.max(0, failures - reported.failures);
      const latency = (latency_ms ?? 0) * newCalls;
      const sums = { calls: newCalls, failures: newFailures, latency_ms: latency };
      return newCalls + newFailures === 0 ? [] : [{ hour, capability, provider, ...sums }];
    });
    await addProviderHours(db, changedRows, at - HOURS_KEPT_MS);
    for (const { capability, provider, calls, failures } of rows) {
      reportedCounts.set(`${capability} ${provider}`, { calls, failures });
    }
  };
  const writing = (async () => {
    while (!stop.signal.aborted) {
      await write().catch((error) =>
        world.log.debug({ error: messageOf(error) }, 'health of providers not written'),
      );
      await world.clock.sleep(REPORT_INTERVAL_MS, stop.signal).catch(() => {});
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await writing;
      await deleteNodeHealth(db, node).catch(() => {});
    },
  };
}

/**
 * Keeps one row per provider name, because providers of one name share a kill switch. The row with
 * more failures stays.
 */
function uniqueByName<R extends { capability: string; provider: string; failures: number }>(
  rows: readonly R[],
): readonly R[] {
  const byName = new Map<string, R>();
  for (const row of rows) {
    const name = `${row.capability} ${row.provider}`;
    const existing = byName.get(name);
    if (existing === undefined || existing.failures < row.failures) byName.set(name, row);
  }
  return [...byName.values()];
}

/** Latest report of every process that reported within a minute, by capability and provider. */
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

export type ProviderHour = {
  readonly capability: string;
  readonly provider: string;
  /** Start of the hour, epoch milliseconds. */
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  /** The sum over all calls of the hour. */
  readonly latencyMs: number;
};

/** Hours with calls, by capability, provider and time. */
export async function listProviderHours(db: Db, since: number): Promise<readonly ProviderHour[]> {
  const rows = await readProviderHours(db, since);
  return rows.map(({ hour, latency_ms, ...row }) => ({ ...row, at: hour, latencyMs: latency_ms }));
}
