// Measures pages of the console and of the gateway's operators over HTTP, for an account that made
// half of all calls. `npm run bench -- console:3000000` selects the number of calls.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAccount } from '../src/gateway/accounts/account.ts';
import { rollUpUsage } from '../src/gateway/wallet/history/roll-up-usage.ts';
import { sealJournal } from '../src/gateway/wallet/integrity/maintain-ledger.ts';
import { requirePresent } from '../src/kernel/errors/assert.ts';
import { DAY_MS } from '../src/kernel/time/durations.ts';
import { type Browser, openBrowser } from '../tests/support/form-browser.ts';
import { freePort } from '../tests/support/free-port.ts';
import { addMonthlyPartitions, fillLedger } from './growth/fill-ledger.ts';
import { openBenchDatabase } from './open-database.ts';
import { type BenchRow, median, percentile95, type Slices } from './row.ts';

const DEFAULT_CALLS = 3_000_000;
/** Calls of the last two minutes, which no sum of usage contains yet. */
const NEW_CALLS = 20_000;
const DAYS = 120;
const ROUNDS = 40;
const bin = join(import.meta.dirname, '../bin/radar');

export async function benchConsole({ selected, report }: Slices): Promise<BenchRow[]> {
  const calls = Number(selected[0] ?? DEFAULT_CALLS);
  if (!Number.isSafeInteger(calls) || calls < 1_000) {
    throw new Error('console: the number of calls is at least 1000, as in console:3000000');
  }
  const { world, db, folder, close } = await openBenchDatabase();
  const rows: BenchRow[] = [];
  const node = await startGateway(folder).catch(async (error) => {
    await close();
    throw error;
  });
  try {
    const { email, password, operator_password } = node.firstRun;
    const busiestAccount = requirePresent(await findAccount(db, email), 'the first account').id;
    const now = world.clock.now();
    const since = new Date(now - DAYS * DAY_MS);
    await addMonthlyPartitions(db, since);
    await fillLedger(db, { calls, since, until: new Date(now - DAY_MS), busiest: busiestAccount });
    await sealJournal(world, db);
    await rollUpUsage(world, db);
    const filledAt = world.clock.now();
    await fillLedger(db, {
      calls: NEW_CALLS,
      since: new Date(filledAt - 120_000),
      until: new Date(filledAt - 10_000),
      busiest: busiestAccount,
    });
    const customer = openBrowser(node.origin);
    await customer.submit('/console/sign-in', '/console/sign-in', { email, password });
    const owner = openBrowser(node.origin);
    const signIn = { name: 'owner', password: operator_password };
    await owner.submit('/admin/sign-in', '/admin/sign-in', signIn);
    const month = new Date(now).toISOString().slice(0, 7);
    const earlierMonth = new Date(now - 60 * DAY_MS).toISOString().slice(0, 7);
    const fromFirstDay = `from=${since.toISOString().slice(0, 10)}`;
    const consolePages = [
      ...['', '/wallet', '/transactions', '/budgets'],
      ...['/calls', '/calls?outcome=failed', '/calls?capability=ocr', '/calls?outcome=running'],
      ...[
        '/usage',
        `/usage?${fromFirstDay}`,
        `/usage?by=capability&${fromFirstDay}`,
        `/usage.csv?${fromFirstDay}`,
      ],
      ...[`/statements/${month}`, `/statements/${earlierMonth}`],
    ].map((path) => ({ browser: customer, path: `/console${path}` }));
    const threeMonths = `from=${new Date(now - 90 * DAY_MS).toISOString().slice(0, 10)}`;
    const accountPath = `/admin/accounts/${busiestAccount}`;
    const adminPages = [
      ...['/admin', '/admin/accounts', accountPath, `${accountPath}/calls`, '/admin/revenue'],
      ...[`/admin/revenue?by=account&${threeMonths}`, '/admin/ledger'],
    ].map((path) => ({ browser: owner, path }));
    for (const { browser, path } of [...consolePages, ...adminPages]) {
      const times = await timePage(browser, path);
      const row = {
        name: path.replace(busiestAccount, '<id>'),
        value: percentile95(times),
        unit: 'ms p95',
        goal: { atMost: 200 },
        note: `p50 ${median(times).toFixed(1)}; ${calls} calls`,
      };
      rows.push(row);
      report(row);
    }
  } finally {
    await node.close();
    await close();
  }
  return rows;
}

async function timePage(browser: Browser, path: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { status, text } = await browser.get(path);
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
  }
  return times;
}

type FirstRun = Readonly<Record<'email' | 'password' | 'operator_password', string>>;

/** Starts a gateway process on the database of this process. */
async function startGateway(folder: string) {
  const config = join(folder, 'radar.config.json');
  const limits = { requestsPerSecond: 10_000, burst: 100_000 };
  writeFileSync(config, JSON.stringify({ logLevel: 'warn', limits, gateway: limits }));
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const child = spawn(bin, ['serve', '--only', 'gateway'], {
    env: { PATH, HOME, DATA_DIR: folder, RADAR_CONFIG: config, GATEWAY_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    requirePresent(child.stdout, 'the output of the gateway').on('data', (bytes) => {
      output += bytes;
      if (output.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
  });
  const firstRun: FirstRun = JSON.parse(readFileSync(join(folder, 'first-run.json'), 'utf8'));
  return {
    origin: `http://127.0.0.1:${port}`,
    firstRun,
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
