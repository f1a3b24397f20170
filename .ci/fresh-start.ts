// Measures a fresh start on an empty data folder. With `npm start` it waits until `/readyz` returns
// 200. With `npm run demo` it waits until every kind of page and endpoint has content, including
// the monthly report. The measurement fails only at three times the promised time.
// Usage: fresh-start.ts <promised seconds> [demo [the demonstration's present time]]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const promisedSeconds = Number(process.argv[2] ?? 10);
const isDemo = process.argv[3] === 'demo';
const now = process.argv[4];
const label = isDemo ? `demo${now === undefined ? '' : ` at ${now}`}` : 'fresh start';
const folder = mkdtempSync(join(tmpdir(), 'fresh-start-'));
const ports = await Promise.all([freePort(), freePort(), freePort()]);
const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  RADAR_PORT: String(ports[0]),
  GATEWAY_PORT: String(ports[1]),
  RELAY_PORT: String(ports[2]),
};

const startedAt = performance.now();
const spawnOptions = { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true } as const;
const timeArguments = now === undefined ? [] : ['--now', now];
const demoArguments = ['run', 'demo', '--', '--data', join(folder, 'data'), ...timeArguments];
const server = spawn('npm', isDemo ? demoArguments : ['start'], spawnOptions);
let output = '';
server.stdout.on('data', (chunk) => {
  output += chunk;
});
server.stderr.on('data', (chunk) => {
  output += chunk;
});
const serverExit = new Promise<'ended'>((resolve) => server.once('close', () => resolve('ended')));

const emptyAddresses = listAddresses();
const readySeconds = await readyAfter(promisedSeconds * 3);
if (server.pid && server.exitCode === null) {
  process.kill(-server.pid, 'SIGTERM');
  const outcome = await Promise.race([serverExit, pause(15_000, 'still running' as const)]);
  if (outcome === 'still running') process.kill(-server.pid, 'SIGKILL');
}
rmSync(folder, { recursive: true, force: true });

if (readySeconds === null) {
  console.log(output);
  const isRunning = server.exitCode === null;
  const outcome = isRunning
    ? `not ready within ${promisedSeconds * 3} s`
    : 'ended before it was ready';
  console.log(`${label}: ${outcome} (promised: under ${promisedSeconds} s)`);
  process.exitCode = 1;
} else {
  console.log(
    `${label}: ${formatSeconds(readySeconds * 1000)} (promised: under ${promisedSeconds} s)`,
  );
}

/** Seconds until the radar was ready; null when it was not ready within `limitSeconds`. */
async function readyAfter(limitSeconds: number): Promise<number | null> {
  for (;;) {
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    if (elapsedSeconds > limitSeconds || server.exitCode !== null) return null;
    if (await hasContent().catch(() => false)) return elapsedSeconds;
    await pause(50);
  }
}

async function hasContent(): Promise<boolean> {
  const address = `http://127.0.0.1:${ports[0]}`;
  if (!isDemo) return (await fetch(`${address}/readyz`)).status === 200;
  for (;;) {
    const [nextAddress] = emptyAddresses;
    if (nextAddress === undefined) return true;
    const response = await fetch(`${address}${nextAddress}`);
    const text = await response.text();
    if (response.status !== 200 || text.includes('"items":[]')) return false;
    emptyAddresses.delete(nextAddress);
    console.log(`  ${formatSeconds(performance.now() - startedAt)} ${nextAddress}`);
  }
}

/** Addresses of pages and endpoints. An address has content when it returns 200 with entries. */
function listAddresses(): Set<string> {
  const reports = ['dailies', 'weeklies', 'monthlies'].map((kind) => `/api/v1/${kind}/latest`);
  const feed = ['/api/v1/items', '/api/v1/items?mode=all&window=24h', '/api/v1/hot-topics'];
  const pages = ['/', '/all', '/hot', '/about', '/daily', '/weekly', '/monthly'];
  return new Set([...feed, '/api/v1/selected/snapshot', ...reports, ...pages]);
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer().once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      listener.close(() => resolve(port ?? 0));
    });
  });
}
