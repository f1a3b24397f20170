// Runs PgBouncer in front of the test database, on a free port.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import type { Connection } from '../../src/store/platform/db.ts';
import { atEnd } from './at-end.ts';
import { fastTempFolder } from './fast-temp-folder.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export type PoolerOptions = {
  readonly program: string;
  readonly mode: 'session' | 'transaction';
  /** Lines of the section `[pgbouncer]`. */
  readonly settings?: readonly string[];
};

type ServerAddress = {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};

const UNPRIVILEGED_ID = 65_534;

/** Returns the address of the database through the pooler. */
export async function openPooler(connection: Connection, options: PoolerOptions): Promise<string> {
  const server = addressOf(connection);
  const port = await freePort();
  const folder = mkdtempSync(join(fastTempFolder(), 'radar-pooler-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration(server, port, options));
  const [command, ...args] = asUnprivileged([options.program, '-q', file]);
  const child = spawn(command, args, { stdio: 'ignore' });
  atEnd(async () => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    return (await acceptsConnection(port)) || null;
  });
  return `postgresql://${server.user}@127.0.0.1:${port}/${server.database}`;
}

/**
 * PgBouncer refuses to run as root. In a user namespace root appears as another user, who can still
 * read root's files and connect to the socket of the database server.
 */
function asUnprivileged(command: [string, ...string[]]): [string, ...string[]] {
  if (process.getuid?.() !== 0) return command;
  return [
    'unshare',
    '--user',
    `--map-user=${UNPRIVILEGED_ID}`,
    `--map-group=${UNPRIVILEGED_ID}`,
    '--',
    ...command,
  ];
}

function addressOf(connection: Connection): ServerAddress {
  if (!('connectionString' in connection)) {
    const { host, port, user, database } = connection;
    return { host, port: String(port), user, database, password: '' };
  }
  const url = new URL(connection.connectionString);
  return {
    host: url.hostname,
    port: url.port || '5432',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
}

function configuration(
  { host, port, user, password, database }: ServerAddress,
  listenPort: number,
  { mode, settings = [] }: PoolerOptions,
): string {
  const secret = password === '' ? '' : ` password=${password}`;
  return [
    '[databases]',
    `${database} = host=${host} port=${port} user=${user}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 20',
    ...settings,
    '',
  ].join('\n');
}

const acceptsConnection = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const endProcess = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
