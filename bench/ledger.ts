// Charges on one hot wallet against pgbench's own transaction (tpcb-like), on the same server with
// fsync on, side by side in one run: reserves, captures, and whole charges, from 1, 16 and 64
// callers. Alone: `bin/node24 bench/ledger.ts [--short]`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topUp } from '../src/gateway/wallet/move-money.ts';
import { openWallet } from '../src/gateway/wallet/open-wallet.ts';
import type { Opening, Wallet } from '../src/gateway/wallet/wallet.ts';
import { runningClock } from '../src/kernel/clock.ts';
import { timedIds } from '../src/kernel/ids.ts';
import { openLog } from '../src/kernel/log.ts';
import { openNet } from '../src/kernel/net/open-net.ts';
import { systemRandom } from '../src/kernel/random.ts';
import type { World } from '../src/kernel/world.ts';
import { closeDb, openDb } from '../src/store/db.ts';
import { openEmbeddedPostgres } from '../src/store/embedded-postgres/open.ts';
import { type Line, openLine } from '../src/store/ledger/line.ts';
import { migrate } from '../src/store/migrate.ts';
import { type BenchRow, rowsAsTable } from './row.ts';

type Pace = { readonly seconds: number; readonly rounds: number };
const full: Pace = { seconds: 4, rounds: 3 };
const short: Pace = { seconds: 2, rounds: 2 };
/** pgbench is at its best when there are more branches than clients. */
const SCALE = 50;
const PRICE = 3_600_000n;

export async function benchLedger(pace = full): Promise<BenchRow[]> {
  const pgbench = findPgbench();
  if (pgbench === null) {
    const note = "not measured: pgbench is missing (Debian's postgresql-15 has it)";
    return [{ name: 'charges against pgbench', value: Number.NaN, unit: '×', note }];
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'radar-bench-ledger-'));
  const clock = runningClock();
  const random = systemRandom();
  const log = openLog({ level: 'warn', now: clock.now });
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'bench' });
  const world: World = { clock, random, ids: timedIds(clock, random), net, log };
  const server = await openEmbeddedPostgres(log, { dataDir, isDurable: true });
  const db = openDb(log, server.connection, { applicationName: 'bench' });
  try {
    await migrate(world, db);
    const { host, port, user, database } = server.connection;
    const reach = ['-h', host, '-p', String(port), '-U', user, database];
    await run(pgbench, ['-i', '-q', '-s', String(SCALE), ...reach]);
    const paid = { accountId: 'acct_hot', livemode: true, amount: 10n ** 16n, reference: 'bench' };
    await topUp(world, db, { ...paid, reason: null, actor: 'bench' });
    const [wallet, line] = [await openWallet(world, db), openLine(log, db)];
    const bench = { world, wallet, line, pace, pgbench, reach };
    const rows = [...(await against(bench, 16, 4)), ...(await against(bench, 64, 10))];
    rows.push(...(await alone(bench)));
    await wallet.close();
    await line.close();
    return rows;
  } finally {
    await closeDb(db);
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Bench = {
  readonly world: World;
  readonly wallet: Wallet;
  readonly line: Line;
  readonly pace: Pace;
  readonly pgbench: string;
  readonly reach: readonly string[];
};

/** Each round: pgbench, reserves, their captures, whole charges; the best of all rounds counts. */
async function against(bench: Bench, callers: number, goal: number): Promise<BenchRow[]> {
  const { pace } = bench;
  const best = { tpcb: 0, reserve: 0, capture: 0, charge: 0 };
  for (let round = 0; round < pace.rounds; round += 1) {
    best.tpcb = Math.max(best.tpcb, await tpcb(bench, callers));
    const held: string[] = [];
    const reserve = await perSecond(callers, pace.seconds, async () => {
      held.push(await open(bench));
    });
    best.reserve = Math.max(best.reserve, reserve);
    const waiting = held.values();
    const capture = await perSecond(callers, 4 * pace.seconds, async () => {
      const next = waiting.next();
      if (next.done) return 'over';
      await settle(bench, next.value);
    });
    best.capture = Math.max(best.capture, capture);
    const charge = await perSecond(callers, pace.seconds, async () =>
      settle(bench, await open(bench)),
    );
    best.charge = Math.max(best.charge, charge);
  }
  const row = (what: 'reserve' | 'capture' | 'charge', isGoal: boolean): BenchRow => ({
    name: `one hot wallet, ${callers} callers: ${what} against pgbench's transaction`,
    value: best[what] / best.tpcb,
    unit: '×',
    ...(isGoal && { goal: { atLeast: goal } }),
    note: `${thousands(best[what])} and ${thousands(best.tpcb)} a second, fsync on`,
  });
  return [row('reserve', true), row('capture', true), row('charge', false)];
}

/** One caller: what a reserve takes, against the least that one durable statement does. */
async function alone(bench: Bench): Promise<BenchRow[]> {
  const { line, pace } = bench;
  const update = {
    name: 'bench_one',
    text: `UPDATE pgbench_branches SET bbalance = bbalance - 1
      WHERE bid = $1::integer AND bbalance >= $2::integer RETURNING bid::text`,
  };
  const times = { one: [] as number[], reserve: [] as number[], capture: [] as number[] };
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    into.push(performance.now() - start);
  };
  const end = performance.now() + 2_000 * pace.seconds;
  while (performance.now() < end) {
    await timed(times.one, () => line.ask(update, [1, -2_000_000_000]));
    let requestId = '';
    await timed(times.reserve, async () => {
      requestId = await open(bench);
    });
    await timed(times.capture, () => settle(bench, requestId));
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
  const one = median(times.one);
  return (['reserve', 'capture'] as const).map((what) => ({
    name: `one caller alone: ${what} against one durable statement, median`,
    value: median(times[what]) / one,
    unit: '×',
    goal: { atMost: 1.4 },
    note: `${median(times[what]).toFixed(2)} and ${one.toFixed(2)} ms`,
  }));
}

async function open({ world, wallet }: Bench): Promise<string> {
  const requestId = `req_${world.ids.next()}`;
  const opening: Opening = {
    ...{ requestId, accountId: 'acct_hot', livemode: true, keyId: 'key_one', capability: 'ocr' },
    ...{ sku: 'ocr', priceVersion: 1, unit: 'per_call', quantity: 1, amount: PRICE },
    ...{ maxCharge: null, budget: null, quotas: { day: 1e9, month: 1e9 } },
    idempotency: { key: requestId, fingerprint: requestId.repeat(2) },
    deadlineAt: world.clock.now() + 3_600_000,
  };
  const { kind } = await wallet.open(opening);
  if (kind !== 'opened') throw new Error(`a reserve was answered ${kind}`);
  return requestId;
}

const text = 'A line of text as it was read from a picture. '.repeat(6);

async function settle({ wallet }: Bench, requestId: string): Promise<void> {
  const body = JSON.stringify({
    request_id: requestId,
    data: { text },
    charge: { total: '0.036' },
  });
  const settled = await wallet.settle({
    ...{ requestId, captured: PRICE, usage: { unit: 'per_call', quantity: 1, increment: 'call' } },
    ...{ status: 200, contentType: 'application/json', body: Buffer.from(body) },
  });
  if (settled.kind !== 'settled') throw new Error('a capture was lost');
}

/** How often callers, each one after the other, get through `work` in a second. */
async function perSecond(
  callers: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < end && (await work()) !== 'over') done += 1;
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done / (performance.now() - start)) * 1_000;
}

async function tpcb({ pgbench, pace, reach }: Bench, clients: number): Promise<number> {
  const how = [
    '-M',
    'prepared',
    '-n',
    '-j',
    '2',
    '-c',
    String(clients),
    '-T',
    String(pace.seconds),
  ];
  const out = await run(pgbench, [...how, ...reach]);
  return Number(/tps = ([\d.]+)/.exec(out)?.[1]);
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${program}: ${code}`)),
    );
  });
}

function findPgbench(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const paths = versions.map((version) => join(root, version, 'bin/pgbench'));
  return paths.find((path) => existsSync(path)) ?? null;
}

const thousands = (value: number) => `${(value / 1_000).toFixed(1)}k`;

if (import.meta.main) {
  console.log(rowsAsTable(await benchLedger(process.argv.includes('--short') ? short : full)));
}
