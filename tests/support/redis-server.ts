// Runs Debian's redis-server for a test file, on a free port and only in memory. It is killed after
// the file.
import { type ChildProcess, spawn } from 'node:child_process';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';

export type TestRedis = {
  readonly url: string;
  /** Kills the server, like a crash. */
  stop(): Promise<void>;
};

const ATTEMPTS = 5;

/** Call at the top of a test file. */
export async function openTestRedis(program: string): Promise<TestRedis> {
  // Another test may take the free port before the server starts.
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const started = await startRedis(program).catch(() => null);
    if (started !== null) return started;
  }
  return startRedis(program);
}

async function startRedis(program: string): Promise<TestRedis> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => killProcess(child);
  atEnd(stop);
  await new Promise<void>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += bytes;
      if (out.includes('Ready to accept connections')) resolve();
    });
    child.once('close', () => reject(new Error(`redis-server did not start: ${out}`)));
  });
  return { url: `redis://127.0.0.1:${port}`, stop };
}

function killProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}
