// Runs PostgreSQL's own benchmark as the baseline of charges: tpcb-like transactions with prepared
// statements.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';

export type Pgbench = {
  /** Transactions per second with this number of clients. */
  measureTpcb(clients: number, seconds: number): Promise<number>;
};

/** Scale factor: pgbench is fastest with more branches than clients. */
const SCALE = 64;

/** Creates pgbench's tables; null when it is not installed (Debian's postgresql-15 has it). */
export async function openPgbench({
  host,
  port,
  user,
  database,
}: EmbeddedPostgres['connection']): Promise<Pgbench | null> {
  const program = findProgram();
  if (program === null) return null;
  const connectionArguments = ['-h', host, '-p', String(port), '-U', user, database];
  await run(program, ['-i', '-q', '-s', String(SCALE), ...connectionArguments]);
  return {
    measureTpcb: async (clients, seconds) => {
      const loadArguments = `-M prepared -n -j 2 -c ${clients} -T ${seconds}`.split(' ');
      const output = await run(program, [...loadArguments, ...connectionArguments]);
      return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
    },
  };
}

function findProgram(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const paths = versions.map((version) => join(root, version, 'bin/pgbench'));
  return paths.find((path) => existsSync(path)) ?? null;
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program}: ${code}`)),
    );
  });
}
