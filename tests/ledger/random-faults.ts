// Fault injection for the ledger. Processes that share wallets are killed, stopped and disconnected
// at random. The database server is killed too. The checker verifies the ledger afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { proofSize } from '../support/proof-size.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import type { KillableServer } from './killable-server.ts';

export type FaultPlan = {
  readonly seed: number;
  readonly operations: number;
  /** Shortest time between two faults. */
  readonly faultEveryMs: number;
  readonly processes: number;
};

/** Without `kill`, the database server is never killed. */
export type Target = Pick<KillableServer, 'db' | 'connection'> &
  Partial<Pick<KillableServer, 'kill'>>;

export type AcknowledgedOperations = {
  readonly capturedCalls: Map<string, string>;
  readonly payments: Map<string, string>;
  /** Calls whose caller received the message that nothing was charged. */
  readonly uncharged: Set<string>;
  /** Wrong responses to callers, and wrong actions of a process. */
  readonly violations: string[];
  operations: number;
  faults: number;
  /** Number of faults in the database's own processes. */
  serverFaults: number;
};

/** Maximum number of faults in a run. Each fault follows an equal share of the operations. */
const MAX_FAULTS = 60;
/**
 * One in this number of faults hits the server: alternately the whole server and one of its
 * processes. With more faults its supervisor would wait longer between starts.
 */
const SERVER_FAULT_EVERY = 4;
const MAX_SERVER_FAULTS = proofSize(5, 12);
/** A process normally ends within milliseconds. After this time it counts as hanging. */
const END_LIMIT_MS = 180_000;

/**
 * Runs processes and faults until the planned number of operations, and returns all acknowledged
 * operations.
 */
export async function runWithFaults({ db, connection, kill }: Target, plan: FaultPlan) {
  const random = seededRandom(plan.seed);
  const acknowledged: AcknowledgedOperations = {
    capturedCalls: new Map(),
    payments: new Map(),
    uncharged: new Set(),
    violations: [],
    operations: 0,
    faults: 0,
    serverFaults: 0,
  };
  const processes = new Set<ChildProcess>();
  let startedCount = 0;
  let lastFaultAt = 0;
  const keyCount = Math.max(50, Math.floor(plan.operations / 20));
  const startProcess = () => {
    startedCount += 1;
    const seed = plan.seed * 1_000 + startedCount;
    const script = join(import.meta.dirname, 'faulted-process.ts');
    const values = [JSON.stringify(connection), String(seed), String(keyCount), String(TEST_NOW)];
    const child = spawn(process.execPath, [script, ...values], {
      // Standard input stays open: its end is the end of this process, also after kill -9.
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    processes.add(child);
    child.on('close', (code) => {
      processes.delete(child);
      // The exit code is null when a signal ended the process. The test sent that signal.
      if (code) acknowledged.violations.push(`a process ended with ${code}`);
    });
    createInterface({ input: child.stdout }).on('line', (line) => record(acknowledged, line));
  };
  const clock = runningClock();
  try {
    for (let index = 0; index < plan.processes; index += 1) startProcess();
    while (acknowledged.operations < plan.operations) {
      await clock.sleep(plan.faultEveryMs);
      if (acknowledged.operations < lastFaultAt + plan.operations / MAX_FAULTS) continue;
      lastFaultAt = acknowledged.operations;
      acknowledged.faults += 1;
      const isForServer = acknowledged.faults % SERVER_FAULT_EVERY === 0;
      if (kill !== undefined && isForServer && acknowledged.serverFaults < MAX_SERVER_FAULTS) {
        const target = acknowledged.serverFaults % 2 === 0 ? 'all' : 'one';
        if (kill(target, random.next())) acknowledged.serverFaults += 1;
      } else await faultProcess();
      while (processes.size < plan.processes) startProcess();
    }
    const hangingProcesses = await Promise.all([...processes].map(endProcess));
    acknowledged.violations.push(...hangingProcesses.flat());
  } finally {
    const exits = [...processes].map(
      (child) => new Promise((resolve) => child.on('close', resolve)),
    );
    for (const child of processes) child.kill('SIGKILL');
    await Promise.all(exits);
  }
  return acknowledged;

  async function faultProcess(): Promise<void> {
    const process = [...processes][Math.floor(random.next() * processes.size)];
    const kind = random.next();
    if (kind < 0.4) process?.kill('SIGKILL');
    // While the database is down, there is no connection to cut.
    else if (kind < 0.7) await cutConnection(db).catch(() => {});
    else await pauseProcess(process, 4 * plan.faultEveryMs * random.next());
  }

  /**
   * Ends a process. Returns a problem when the process hangs, because a call has no end or the
   * ledger does not recover.
   */
  async function endProcess(child: ChildProcess): Promise<readonly string[]> {
    const ended = new Promise<readonly string[]>((resolve) => child.on('close', () => resolve([])));
    child.kill('SIGTERM');
    const stop = new AbortController();
    const timeout = clock
      .sleep(END_LIMIT_MS, stop.signal)
      .then(() => ['a process did not end in time'])
      .catch(() => []);
    return Promise.race([ended.finally(() => stop.abort()), timeout]);
  }

  async function pauseProcess(child: ChildProcess | undefined, ms: number): Promise<void> {
    child?.kill('SIGSTOP');
    await clock.sleep(ms);
    child?.kill('SIGCONT');
  }
}

function record(acknowledged: AcknowledgedOperations, line: string): void {
  // The last line of a killed process may be cut.
  if (!line.endsWith('}')) return;
  const message = JSON.parse(line);
  if (message.operations) acknowledged.operations += message.operations;
  if (message.captureOf) acknowledged.capturedCalls.set(message.captureOf, message.captured);
  if (message.paid) acknowledged.payments.set(`${message.accountId} ${message.paid}`, message.paid);
  if (message.free) acknowledged.uncharged.add(message.free);
  if (message.wrong)
    acknowledged.violations.push(`a caller received a wrong response: ${message.wrong}`);
}

async function cutConnection(db: Db): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid) FROM (
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND application_name IN ('radar ledger', 'radar faulted') ORDER BY query_start DESC LIMIT 2
    ) AS busy`.execute(sqlOf(db));
}

/** Whether the server is reachable and the statements of all killed processes have finished. */
async function isQuiet(db: Db): Promise<true | null> {
  const { rows } = await sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND application_name IN ('radar ledger', 'radar faulted')`.execute(sqlOf(db));
  return rows.length === 0 ? true : null;
}

/** Compares the ledger with the acknowledged calls when no call runs. Returns each difference. */
export async function checkBalances(
  db: Db,
  acknowledged: AcknowledgedOperations,
): Promise<readonly string[]> {
  const { world } = testWorld(7, TEST_NOW + 400 * DAY_MS);
  const problems: string[] = [...acknowledged.violations];
  await until(() => isQuiet(db).catch(() => null));
  await maintainLedger(world, db).catch((error) =>
    problems.push(`the maintenance of the ledger failed: ${error}`),
  );
  const { invariants, entries, sealed } = await auditLedger(world, db, 'full');
  for (const { name, violations } of invariants) {
    for (const { subject, detail } of violations) problems.push(`${name}: ${subject}: ${detail}`);
  }
  if (entries !== sealed) problems.push(`${sealed} of ${entries} entries are sealed`);
  const kysely = sqlOf(db);
  const { rows: balanceSums } = await sql<{ total: string; held: string }>`
    SELECT sum(available + held)::text AS total, sum(held)::text AS held FROM books`.execute(
    kysely,
  );
  if (balanceSums[0]?.total !== '0')
    problems.push(`all balances together are ${balanceSums[0]?.total}`);
  if (balanceSums[0]?.held !== '0') problems.push(`${balanceSums[0]?.held} are still held`);
  const { rows: calls } = await sql<{ request_id: string; captured: string }>`
    SELECT request_id, captured::text FROM calls WHERE state = 'captured'`.execute(kysely);
  const captured = new Map(calls.map((call) => [call.request_id, call.captured]));
  for (const [requestId, amount] of acknowledged.capturedCalls) {
    if (captured.get(requestId) === amount) continue;
    problems.push(`${requestId}: ${amount} was acknowledged, ${captured.get(requestId)} is stored`);
  }
  for (const requestId of acknowledged.uncharged) {
    const charged = captured.get(requestId);
    if (charged !== undefined)
      problems.push(`${requestId}: acknowledged as free, but charged ${charged}`);
  }
  const { rows: payments } = await sql<{ name: string }>`
    SELECT account_id || ' ' || reference AS name FROM entries WHERE kind = 'top_up'`.execute(
    kysely,
  );
  const postedNames = new Set(payments.map(({ name }) => name));
  for (const name of acknowledged.payments.keys()) {
    if (!postedNames.has(name)) problems.push(`the top-up ${name} was acknowledged and is lost`);
  }
  return problems;
}
