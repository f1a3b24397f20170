// Runs `radar …` like an operator: as a real process on free ports, in a data folder of the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { atEnd } from './at-end.ts';
import { fastTempFolder } from './fast-temp-folder.ts';
import { until } from './until.ts';

const bin = join(import.meta.dirname, '../../bin/radar');

/** Running processes with their data folders. Those of a failed test are killed. */
const runningProcesses = new Map<ChildProcess, string | undefined>();

atEnd(() => {
  for (const child of runningProcesses.keys()) child.kill('SIGKILL');
});

export type Environment = Readonly<Record<string, string>>;

/** A data folder, removed after the test that makes it, or after the file. */
export function temporaryDataDir(): string {
  const folder = mkdtempSync(join(fastTempFolder(), 'radar-e2e-'));
  const remove = async () => {
    // A failed test may have left a process running.
    for (const [child, dataDir] of runningProcesses) if (dataDir === folder) child.kill('SIGKILL');
    // The guard stops the database of a killed process shortly after it.
    await until(async () => (existsSync(join(folder, 'postgres/postmaster.pid')) ? null : true));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    onTestFinished(remove);
  } catch {
    // Outside of a test: used by the whole file.
    atEnd(remove);
  }
  return folder;
}

function environmentOf(environment: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    RADAR_PORT: '0',
    GATEWAY_PORT: '0',
    RELAY_PORT: '0',
    ...environment,
  };
}

export type CommandResult = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

/** Runs a command to its end. */
export async function runRadarCommand(
  args: readonly string[],
  environment: Environment,
): Promise<CommandResult> {
  const child = spawn(bin, args, {
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = collectOutput(child);
  const code = await exitCodeOf(child);
  return { code, ...text };
}

export type ServingProcess = {
  /** Address of the radar; empty when it does not run. */
  readonly url: string;
  /** Address of the gateway; empty when it does not run. */
  readonly gatewayUrl: string;
  /** Address of the chat relay; empty when it does not run. */
  readonly relayUrl: string;
  readonly pid: number;
  readonly text: { readonly out: string; readonly err: string };
  /** Sends the signal and returns the exit code; null when killed. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** The address that the process prints for a component when it starts. */
const addressIn = (out: string, component: string): string =>
  new RegExp(`^${component} +(https?://[^/\\s]+)`, 'm').exec(out)?.[1] ?? '';

/**
 * Starts `radar serve` and waits until it prints that it is ready. `program`: another program to
 * start, with its first arguments.
 */
export async function startServing(
  environment: Environment,
  args: readonly string[] = [],
  [program, ...firstArgs]: readonly [string, ...string[]] = [bin, 'serve'],
) {
  const child = spawn(program, [...firstArgs, ...args], {
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = collectOutput(child);
  runningProcesses.set(child, environment.DATA_DIR);
  const exited = exitCodeOf(child).finally(() => runningProcesses.delete(child));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (text.out.includes('Ready.')) resolve();
    });
    exited.then((code) => reject(new Error(`serve ended with ${code}: ${text.out}${text.err}`)));
  });
  const serving: ServingProcess = {
    url: addressIn(text.out, 'Radar'),
    gatewayUrl: addressIn(text.out, 'Gateway'),
    relayUrl: addressIn(text.out, 'Relay'),
    pid: child.pid ?? 0,
    text,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
  return serving;
}

function collectOutput(child: ChildProcess): { out: string; err: string } {
  const text = { out: '', err: '' };
  child.stdout?.on('data', (bytes) => {
    text.out += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    text.err += bytes;
  });
  return text;
}

const exitCodeOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code));
  });
