// Starts a client's binary with a separate environment. The caller supplies a home folder and a
// proxy that refuses every other host. The client receives no environment variable of the machine.
import { spawn } from 'node:child_process';

export type ClientRun = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

export type ClientOptions = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Written to its standard input. */
  readonly input?: string;
  /** The client is ended when this promise resolves. */
  readonly until?: Promise<unknown>;
};

const TIMEOUT_MS = 240_000;

export function runClient(
  file: string,
  { args, env, cwd, input = '', until }: ClientOptions,
): Promise<ClientRun> {
  const child = spawn(file, args, {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const text = { out: '', err: '' };
  child.stdout.on('data', (bytes) => {
    text.out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    text.err += bytes;
  });
  until?.then(() => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ code, ...text });
    });
  });
}
