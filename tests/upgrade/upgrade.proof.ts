// Tests an upgrade without a pause. Two nodes of an earlier commit serve paid calls through nginx
// while this checkout migrates their database and replaces one node after the other. A migration of
// the ledger's tables then runs during a long read transaction. `npm run proof -- upgrade` runs
// this file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../demo/upstream/server.ts';
import { handleTikhub, tikhubKey } from '../../demo/upstream/tikhub-endpoints.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { createEmptyDatabase } from '../store/backup/databases.ts';
import { copyCheckout, projectRoot } from '../support/checkout.ts';
import { freePort } from '../support/free-port.ts';
import { openNginx } from '../support/nginx-front.ts';
import {
  longestMs,
  type PaidCall,
  startPaidCalls,
  statusesOf,
  wrongCalls,
} from '../support/paid-calls.ts';
import { proofSize } from '../support/proof-size.ts';
import { type ServingProcess, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { addPaidAccount, runRadar } from '../support/run-radar.ts';
import { urlOf } from '../support/test-database.ts';
import { requireTool } from '../support/tools.ts';

const PER_SECOND = 20;
/** Duration of each step in which two versions serve side by side. */
const SIDE_BY_SIDE_MS = proofSize(3_000, 15_000);
const READER_MS = proofSize(10_000, 75_000);
const LONGEST_WAIT_MS = 1_000;
const EMAIL = 'upgrade@example.com';

const { sleep } = runningClock();
const nginx = requireTool('nginx');
const earlierVersion = findEarlierCommit();
const database = await createEmptyDatabase();
const DATA_DIR = temporaryDataDir();
const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
const env = {
  DATA_DIR,
  RADAR_CONFIG,
  TRUST_PROXY: 'loopback',
  DATABASE_URL: urlOf(database.connection),
};
const folders = { earlier: join(DATA_DIR, 'earlier'), next: join(DATA_DIR, 'next') };
const report = (line: string) => process.stdout.write(`${line}\n`);

/** The commit before the newest migration, or RADAR_EARLIER. */
function findEarlierCommit(): { readonly hash: string; readonly newMigrations: readonly string[] } {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations');
  const hash = git('rev-parse', process.env.RADAR_EARLIER ?? `${added}^`);
  const earlierMigrations = git('ls-tree', '--name-only', hash, 'migrations/').split('\n');
  const currentMigrations = readdirSync(join(projectRoot, 'migrations')).filter((name) =>
    name.endsWith('.sql'),
  );
  return {
    hash,
    newMigrations: currentMigrations.filter(
      (name) => !earlierMigrations.includes(`migrations/${name}`),
    ),
  };
}

/** The dependencies are those of this checkout. */
const linkDependencies = (folder: string) =>
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));

function makeFolders(): void {
  mkdirSync(folders.earlier);
  const archive = join(DATA_DIR, 'earlier.tar');
  execFileSync('git', ['archive', '-o', archive, earlierVersion.hash], { cwd: projectRoot });
  execFileSync('tar', ['-xf', archive, '-C', folders.earlier]);
  linkDependencies(folders.earlier);
  mkdirSync(folders.next);
  copyCheckout(folders.next);
  linkDependencies(folders.next);
  const newMigration = (name: string) => join(folders.next, 'migrations', name);
  writeFileSync(
    newMigration('9998_columns_of_proof.sql'),
    'ALTER TABLE calls ADD COLUMN proof int;\nALTER TABLE entries ADD COLUMN proof int;\n',
  );
  writeFileSync(
    newMigration('9999_index_of_proof.sql'),
    '-- concurrently\n' +
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_of_proof ON calls (opened_at, proof);\n',
  );
}

type Node = { readonly ports: readonly number[]; process: ServingProcess };

const startNodeOn = (ports: readonly number[], folder: string, ...args: readonly string[]) => {
  const [RADAR_PORT, GATEWAY_PORT, RELAY_PORT] = ports.map(String) as [string, string, string];
  const options = ['--only', 'radar,gateway,relay', ...args];
  const program = [join(folder, 'bin/radar'), 'serve'] as const;
  return startServing({ ...env, RADAR_PORT, GATEWAY_PORT, RELAY_PORT }, options, program);
};

const startWorker = (folder: string) =>
  startServing(env, ['--only', 'worker'], [join(folder, 'bin/radar'), 'serve']);

const nodes: Node[] = [];
let worker: ServingProcess;
let accountId = '';
/** The calls of the earlier tests. */
let earlierCalls: readonly PaidCall[] = [];
let caller: Parameters<typeof startPaidCalls>[0];

describe.skipIf(nginx.kind === 'missing')('an upgrade under load', () => {
  beforeAll(() => openEarlierNodes(nginx.kind === 'found' ? nginx.path : ''));
  test('nodes of two versions serve side by side while each is replaced', replaceNodes, 900_000);
  test('no call and at most 1 % of attempts fail when each node restarts', restartNodes, 900_000);
  test('no call fails during a migration with a long reader', migrateBesideReader, 900_000);
});

async function openEarlierNodes(nginxPath: string): Promise<void> {
  makeFolders();
  const upstream = await openServer(handleTikhub);
  const social = [{ kind: 'tikhub', url: upstream.url, key: tikhubKey }];
  const gateway = { requestsPerSecond: 1_000, burst: 10_000 };
  writeFileSync(RADAR_CONFIG, JSON.stringify({ logLevel: 'warn', gateway, providers: { social } }));
  worker = await startWorker(folders.earlier);
  for (let index = 0; index < 2; index += 1) {
    const ports = [await freePort(), await freePort(), await freePort()];
    nodes.push({ ports, process: await startNodeOn(ports, folders.earlier) });
  }
  const nginxAddresses = await openNginx(
    nginxPath,
    nodes.map(({ ports: [radar, gatewayPort, relay] }) => ({
      radar: `127.0.0.1:${radar}`,
      gateway: `127.0.0.1:${gatewayPort}`,
      relay: `127.0.0.1:${relay}`,
    })),
  );
  const apiKey = await addPaidAccount(folders.earlier, env, EMAIL);
  const client = await openClient();
  const { rows } = await client.query('SELECT id FROM accounts WHERE email = $1', [EMAIL]);
  accountId = rows[0].id;
  await client.end();
  caller = { origin: nginxAddresses.gateway, apiKey, perSecond: PER_SECOND, name: 'call' };
}

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ ...database.connection });
  await client.connect();
  return client;
}

async function replaceNodes(): Promise<void> {
  const load = startPaidCalls({ ...caller, name: 'upgrade' });
  await sleep(SIDE_BY_SIDE_MS);
  const appliedMigrations = await runRadar(projectRoot, ['migrate'], env);
  for (const name of earlierVersion.newMigrations) expect(appliedMigrations).toContain(name);
  await sleep(SIDE_BY_SIDE_MS);
  await replaceEach();
  expect(await worker.end('SIGTERM')).toBe(0);
  worker = await startWorker(projectRoot);
  await load.stop();
  const attempts = load.all.flatMap((call) => call.attempts);
  report(
    `upgrade from ${earlierVersion.hash.slice(0, 8)} ` +
      `(${earlierVersion.newMigrations.join(', ')}): ` +
      `${load.all.length} calls at ${PER_SECOND}/s, attempts ${statusesOf(attempts)}; ` +
      `longest ${longestMs(attempts)} ms`,
  );
  earlierCalls = load.all;
  // The earlier commit defines how its nodes stop. An attempt may fail there, but no call.
  expect(load.all.filter(({ requestId }) => requestId === null)).toEqual([]);
}

/** Restarts the nodes of this checkout. At most 1 % of the attempts may fail, each with 502. */
async function restartNodes(): Promise<void> {
  const load = startPaidCalls({ ...caller, name: 'restart' });
  await sleep(SIDE_BY_SIDE_MS);
  await replaceEach();
  await load.stop();
  earlierCalls = [...earlierCalls, ...load.all];
  const attempts = load.all.flatMap((call) => call.attempts);
  const statuses = statusesOf(attempts);
  report(`both nodes restarted: ${load.all.length} calls, attempts ${statuses}`);
  const firstFailure = attempts.find(({ status }) => status !== 200);
  if (firstFailure !== undefined)
    report(`the first failed attempt: ${JSON.stringify(firstFailure)}`);
  // nginx can send a request on a reused connection while the node closes it. nginx does not repeat
  // a POST.
  const refusedAttempts = attempts.filter(({ status }) => status !== 200);
  expect(refusedAttempts.filter(({ status }) => status !== 502)).toEqual([]);
  expect(refusedAttempts.length).toBeLessThanOrEqual(attempts.length / 100);
  expect(load.all.filter((call) => call.attempts.at(-1)?.status !== 200)).toEqual([]);
}

async function replaceEach(): Promise<void> {
  for (const node of nodes) {
    expect(await node.process.end('SIGTERM')).toBe(0);
    node.process = await startNodeOn(node.ports, projectRoot, '--no-migrate');
    await sleep(SIDE_BY_SIDE_MS);
  }
}

async function migrateBesideReader(): Promise<void> {
  const [reader, observer] = [await openClient(), await openClient()];
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await reader.query('SELECT (SELECT count(*) FROM calls), (SELECT count(*) FROM entries)');
  const load = startPaidCalls({ ...caller, name: 'reader' });
  const startedAt = Date.now();
  const migrationRun = runRadar(folders.next, ['migrate'], env);
  const finished = migrationRun.then(() => Date.now());
  let [isMigrationOver, longestWaitMs, isReaderEnded] = [false, 0, false];
  void finished.finally(() => {
    isMigrationOver = true;
  });
  while (!isMigrationOver) {
    longestWaitMs = Math.max(longestWaitMs, await longestWaitOf(observer));
    if (!isReaderEnded && Date.now() - startedAt > READER_MS) {
      expect(isMigrationOver).toBe(false);
      await reader.query('COMMIT');
      isReaderEnded = true;
    }
    await sleep(20);
  }
  const migrationMs = (await finished) - startedAt;
  await load.stop();
  const attempts = load.all.flatMap((call) => call.attempts);
  report(
    `migration beside a reader of ${READER_MS / 1000} s: finished after ` +
      `${(migrationMs / 1000).toFixed(1)} s; ${load.all.length} calls, attempts ` +
      `${statusesOf(attempts)}; longest lock wait of a call ${longestWaitMs.toFixed(0)} ms, ` +
      `longest call ${longestMs(attempts)} ms`,
  );
  expect(await migrationRun).toContain('applied 9998_columns_of_proof.sql');
  expect(await migrationRun).toContain('applied 9999_index_of_proof.sql');
  expect(isReaderEnded).toBe(true);
  const { rows } = await observer.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'calls_of_proof'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
  const wrongCallList = await wrongCalls(observer, accountId, [...earlierCalls, ...load.all]);
  await Promise.all([reader.end(), observer.end()]);
  expect(wrongCallList).toEqual([]);
  expect(statusesOf(attempts)).toBe(`200: ${load.all.length}`);
  expect(longestWaitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS);
  const audit = await runRadar(projectRoot, ['ledger', 'audit', '--full'], env);
  report(audit.trim().split('\n').at(-1) ?? '');
}

/** The longest present wait for a lock, except that of the migration itself. */
async function longestWaitOf(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ ms: number | null }>(
    `SELECT max(extract(epoch FROM clock_timestamp() - waitstart) * 1000)::float8 AS ms
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND application_name <> 'radar migrate'`,
  );
  return rows[0]?.ms ?? 0;
}
