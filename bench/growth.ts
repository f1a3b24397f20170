// Measures a ledger of many calls: audits, queries of console and revenue pages, size per call,
// backup, restore, and removal of old months. `npm run bench -- growth:3000000` selects the number
// of calls.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthAt, readMonth } from '../src/gateway/wallet/history/read-month.ts';
import { listRevenue } from '../src/gateway/wallet/history/read-revenue.ts';
import { listExplainedCalls, readStatement } from '../src/gateway/wallet/history/read-statement.ts';
import { readWalletUsage } from '../src/gateway/wallet/history/read-usage.ts';
import { rollUpUsage } from '../src/gateway/wallet/history/roll-up-usage.ts';
import { type AuditScope, auditLedger } from '../src/gateway/wallet/integrity/audit-ledger.ts';
import { updateLedgerMetrics } from '../src/gateway/wallet/integrity/ledger-metrics.ts';
import { sealJournal } from '../src/gateway/wallet/integrity/maintain-ledger.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import { DAY_MS } from '../src/kernel/time/durations.ts';
import { makeCheckpoint } from '../src/store/ledger/transfers.ts';
import { applyRetention, type RetiredFiles } from '../src/store/platform/retention.ts';
import {
  addMonthlyPartitions,
  busiestAccount,
  callBytes,
  fillLedger,
} from './growth/fill-ledger.ts';
import { timeBackup } from './growth/time-backup.ts';
import { openBenchDatabase } from './open-database.ts';
import { type BenchRow, percentile95, type Slices } from './row.ts';

const DEFAULT_CALLS = 1_000_000;
const NEW_CALLS = 20_000;
const ROUNDS = 40;
const DAYS = 120;
/** Months that the measured retention policy keeps. */
const KEPT_MONTHS = 1;

export async function benchGrowth({ selected, report }: Slices): Promise<BenchRow[]> {
  const calls = Number(selected[0] ?? DEFAULT_CALLS);
  if (!Number.isSafeInteger(calls) || calls < 1_000) {
    throw new Error('growth: the number of calls is at least 1000, as in growth:3000000');
  }
  const { world, db, close } = await openBenchDatabase();
  const rows: BenchRow[] = [];
  const cleanups: (() => void)[] = [];
  const addRow = (row: BenchRow) => {
    rows.push(row);
    report(row);
  };
  try {
    const now = world.clock.now();
    const filledUntil = new Date(now - DAY_MS);
    const since = new Date(now - DAYS * DAY_MS);
    await addMonthlyPartitions(db, since);
    await fillLedger(db, { calls, since, until: filledUntil });
    const bytesPerCall = Math.round((await callBytes(db)) / calls);
    addRow({
      name: 'size of a call',
      value: bytesPerCall,
      unit: 'bytes',
      note: 'without a response',
    });
    await sealJournal(world, db);
    await rollUpUsage(world, db);

    const folder = mkdtempSync(join(tmpdir(), 'radar-bench-retired-'));
    const files: RetiredFiles = {
      put: (name, bytes) => writeFile(join(folder, name), bytes),
      read: (name) => readFile(join(folder, name)),
    };
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const audit = async (scope: AuditScope) => {
      const startedAt = performance.now();
      const result = await auditLedger(world, db, scope, undefined, files);
      if (!result.isIntact)
        throw new Error(`the ledger is not consistent: ${JSON.stringify(result)}`);
      return { seconds: (performance.now() - startedAt) / 1_000, ...result };
    };
    const fullAudit = await audit('full');
    const note = `${calls} calls, ${fullAudit.entries} entries`;
    addRow({ name: 'full audit', value: fullAudit.seconds, unit: 's', note });
    const startedAt = performance.now();
    await makeCheckpoint(db, { now: world.clock.now(), seal: fullAudit.lastSeal });
    const seconds = (performance.now() - startedAt) / 1_000;
    addRow({ name: 'first checkpoint', value: seconds, unit: 's', note });
    // The new calls are later than the instant up to which usage was summed.
    const filledAt = world.clock.now();
    await fillLedger(db, {
      calls: NEW_CALLS,
      since: new Date(filledAt - 120_000),
      until: new Date(filledAt - 10_000),
    });
    await sealJournal(world, db);
    await rollUpUsage(world, db);
    const partialAudit = await audit('since-checkpoint');
    addRow({
      name: 'audit since the checkpoint',
      value: partialAudit.seconds,
      unit: 's',
      goal: { atMost: 10 },
      note: `${NEW_CALLS} new calls`,
    });

    const queries = makeQueries(db, { since, now });
    for (const [name, query] of Object.entries(queries)) {
      const value = await measureP95(query);
      addRow({ name, value, unit: 'ms p95', goal: { atMost: 200 }, note: `${ROUNDS} rounds` });
    }

    for (const row of await timeBackup(world, db, folder)) addRow(row);

    await updateLedgerMetrics(world, db);
    await makeCheckpoint(db, { now: world.clock.now(), seal: partialAudit.lastSeal });
    const bytesBefore = await callBytes(db);
    const policy = { calls: KEPT_MONTHS, entries: KEPT_MONTHS, readings: null };
    const removalStartedAt = performance.now();
    const steps: string[] = [];
    await applyRetention(
      world,
      db,
      { ...policy, publication_log: null, selected_ledger: null },
      { files, report: (step) => steps.push(step) },
    );
    const bytesAfter = await callBytes(db);
    const [mbAfter, mbBefore] = [Math.round(bytesAfter / 1e6), Math.round(bytesBefore / 1e6)];
    const retainedSize = `${mbAfter} of ${mbBefore} MB stay`;
    const removalSeconds = (performance.now() - removalStartedAt) / 1_000;
    addRow({
      name: 'removal of old months',
      value: removalSeconds,
      unit: 's',
      note: `${retainedSize}; ${steps.join(', ')}`,
    });
    const exportedSizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    const exportedBytes = exportedSizes.reduce((sum, size) => sum + size, 0);
    addRow({ name: 'files of the removed months', value: exportedBytes / 1e6, unit: 'MB' });
    const laterAudit = await audit('since-checkpoint');
    addRow({
      name: 'audit since the checkpoint, after the removal',
      value: laterAudit.seconds,
      unit: 's',
      goal: { atMost: 10 },
    });
    const auditWithFiles = await audit('full');
    addRow({ name: 'full audit with the files', value: auditWithFiles.seconds, unit: 's', note });
  } finally {
    for (const cleanup of cleanups) cleanup();
    await close();
  }
  return rows;
}

/**
 * The queries of two kinds of pages, each under its name. The console's queries read the account
 * with half of the calls; the revenue query reads all accounts.
 */
function makeQueries(
  db: Db,
  { since, now }: { readonly since: Date; readonly now: number },
): Readonly<Record<string, () => Promise<unknown>>> {
  const wallet = { accountId: busiestAccount, livemode: true };
  const dayOf = (at: Date | number) => new Date(at).toISOString().slice(0, 10);
  const range = { from: dayOf(since), to: dayOf(now) };
  const month = monthAt(dayOf(now).slice(0, 7), now);
  if (month === null) throw new Error('this month has not begun');
  const page = { cursor: null, limit: 50 };
  return {
    'console: transactions': () => readStatement(db, wallet, page),
    'console: calls': () => listExplainedCalls(db, wallet, { ...page, filter: {} }),
    'console: failed calls': () =>
      listExplainedCalls(db, wallet, { ...page, filter: { outcome: 'failed' } }),
    'console: calls of a capability': () =>
      listExplainedCalls(db, wallet, { ...page, filter: { capability: 'ocr' } }),
    'console: usage by day': () => readWalletUsage(db, { ...wallet, ...range, groupBy: 'day' }),
    'console: statement of a month': () => readMonth(db, wallet, month),
    'operators: revenue by account': () =>
      listRevenue(db, { ...range, groupBy: 'account' }, () => null),
  };
}

async function measureP95(query: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await query();
    times.push(performance.now() - startedAt);
  }
  return percentile95(times);
}
