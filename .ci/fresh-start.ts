// How long a fresh start takes: `npm start` on an empty data folder until `/readyz` answers 200.
// Usage: fresh-start.ts <promised seconds>; fails only at three times the promise.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const promised = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'fresh-start-'));
const ports = await Promise.all([freePort(), freePort(), freePort()]);
const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  RADAR_PORT: String(ports[0]),
  GATEWAY_PORT: String(ports[1]),
  RELAY_PORT: String(ports[2]),
};

const began = performance.now();
const options = { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true } as const;
const server = spawn('npm', ['start'], options);
let output = '';
server.stdout.on('data', (chunk) => {
  output += chunk;
});
server.stderr.on('data', (chunk) => {
  output += chunk;
});
const ended = new Promise<'ended'>((resolve) => server.once('close', () => resolve('ended')));

const seconds = await readyAfter(promised * 3);
if (server.pid && server.exitCode === null) {
  process.kill(-server.pid, 'SIGTERM');
  const how = await Promise.race([ended, pause(15_000, 'still running' as const)]);
  if (how === 'still running') process.kill(-server.pid, 'SIGKILL');
}
rmSync(folder, { recursive: true, force: true });

if (seconds === null) {
  console.log(output);
  const how = server.exitCode === null ? `not ready within ${promised * 3} s` : 'ended unready';
  console.log(`fresh start: ${how} (promised: under ${promised} s)`);
  process.exitCode = 1;
} else {
  console.log(`fresh start: ${seconds.toFixed(1)} s (promised: under ${promised} s)`);
}

/** Seconds until the radar could serve; null when it could not within `limit` seconds. */
async function readyAfter(limit: number): Promise<number | null> {
  for (;;) {
    const elapsed = (performance.now() - began) / 1000;
    if (elapsed > limit || server.exitCode !== null) return null;
    const answer = await fetch(`http://127.0.0.1:${ports[0]}/readyz`).catch(() => null);
    if (answer?.status === 200) return elapsed;
    await pause(50);
  }
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
