// Registers the metrics of the ledger: figures that a worker counts once a minute, and the time of
// the last integrity check. A scrape reads one row of each, however large the journal is.

import { findLastIntegrityCheck } from '../../gateway/wallet/integrity/check-ledger.ts';
import { readLedgerMetrics } from '../../gateway/wallet/integrity/ledger-metrics.ts';
import { openRefreshingValue } from '../../kernel/concurrency/refreshing-value.ts';
import { MICRO_FEN_PER_FEN } from '../../kernel/money.ts';
import type { MetricSample } from '../../kernel/observability/metrics.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { AppRun } from './run.ts';

const measuredRuns = new WeakSet<AppRun>();
const CACHE_MS = 1_000;

/** The metrics are registered once per run, by the first caller. */
export function measureLedger(run: AppRun, world: World, db: Db): void {
  if (measuredRuns.has(run)) return;
  measuredRuns.add(run);
  const state = openRefreshingValue(world, CACHE_MS, async () => ({
    figures: await readLedgerMetrics(db),
    check: await findLastIntegrityCheck(db),
  }));
  type State = Awaited<ReturnType<typeof state.get>>;
  const gauge = (
    name: string,
    help: string,
    samples: (state: State) => readonly MetricSample[],
    labels: readonly string[] = [],
  ) => {
    const readSamples = async () => samples(await state.get());
    run.metrics.gauge({ name, help, labels, read: readSamples });
  };
  gauge('ledger_entries', 'Entries of the journal.', ({ figures }) =>
    figures === null ? [] : [{ value: figures.entries }],
  );
  gauge('ledger_entries_unsealed', 'Entries that no seal covers yet.', ({ figures }) =>
    figures === null ? [] : [{ value: figures.unsealed }],
  );
  gauge(
    'ledger_counted_timestamp_seconds',
    'Time at which these figures were counted.',
    ({ figures }) => (figures === null ? [] : [{ value: figures.at / 1000 }]),
  );
  const holdsHelp = 'Calls that have been running for at least this number of minutes.';
  gauge('ledger_holds_open', holdsHelp, ({ figures }) => samplesOf('minutes', figures?.holds), [
    'minutes',
  ]);
  const capturedHelp = 'Charges of live calls in CNY, by balance.';
  gauge('ledger_captured_cny', capturedHelp, ({ figures }) => toCnySamples(figures?.captured), [
    'source',
  ]);
  gauge('gateway_jobs', 'Jobs by state.', ({ figures }) => samplesOf('state', figures?.jobs), [
    'state',
  ]);
  const invariantHelp = 'Result of the last integrity check of an invariant: 1 holds, 0 is broken.';
  const invariants = ({ check }: State) =>
    (check?.results ?? []).map(({ name, broken }) => {
      return { labels: { invariant: name }, value: broken === 0 ? 1 : 0 };
    });
  gauge('ledger_invariant_holds', invariantHelp, invariants, ['invariant']);
  const timeHelp = 'Time of the last complete integrity check.';
  gauge('ledger_check_timestamp_seconds', timeHelp, ({ check }) =>
    check?.finishedAt ? [{ value: check.finishedAt / 1000 }] : [],
  );
}

function samplesOf(label: string, counts: Readonly<Record<string, number>> | null | undefined) {
  return Object.entries(counts ?? {}).map(([name, value]) => ({
    labels: { [label]: name },
    value,
  }));
}

function toCnySamples(
  captured: Readonly<Record<string, bigint>> | undefined,
): readonly MetricSample[] {
  const cny = (amount: bigint) => Number(amount) / Number(100n * MICRO_FEN_PER_FEN);
  return Object.entries(captured ?? {}).map(([source, amount]) => {
    return { labels: { source }, value: cny(amount) };
  });
}
