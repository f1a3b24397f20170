// Runs the cluster of deploy/patroni on this machine: the shipped files with unchanged addresses,
// in folders and with users of the test. It needs root, and a network without other listeners.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { projectRoot } from '../support/checkout.ts';
import { until } from '../support/until.ts';

export type ClusterPrograms = Readonly<
  Record<'patroni' | 'etcd' | 'haproxy' | 'pgbouncer' | 'redis-server', string>
>;

/** `machine`: PostgreSQL and Patroni are killed. `server`: only PostgreSQL is killed. */
export type Loss = 'machine' | 'server';

export type Cluster = {
  /** The variables of deploy/patroni/radar.env. */
  readonly nodeEnvironment: Readonly<Record<string, string>>;
  /** The number of the primary, or null while there is none. */
  readPrimary(): Promise<number | null>;
  killPrimary(loss: Loss): Promise<number>;
  /** Starts the programs that `killPrimary` ended. */
  restart(member: number): void;
  /** Resolves when all members serve, one of them as synchronous standby. */
  waitForHealthy(): Promise<void>;
  /** Creates an empty database, which belongs to the role of the radar. */
  createDatabase(name: string): Promise<void>;
  stop(): void;
};

const MEMBERS = [1, 2, 3] as const;
const PRIMARY_URL = 'postgresql://postgres:change-me-1@127.0.0.1:5000/postgres';
const readShippedFile = (name: string) =>
  readFileSync(join(projectRoot, 'deploy/patroni', name), 'utf8');

/** The variables of a shipped file, which is for the first machine, adapted to machine `member`. */
function variablesOf(name: string, member: number): Readonly<Record<string, string>> {
  const lines = readShippedFile(name).split('\n');
  const pairs = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return Object.fromEntries(
    pairs.map(([key, value]) => {
      if (/_(HOSTS|CLUSTER)$/.test(key)) return [key, value];
      return [
        key,
        value.replaceAll('127.0.1.1', `127.0.1.${member}`).replace('pg-1', `pg-${member}`),
      ];
    }),
  );
}

export async function openCluster(programs: ClusterPrograms): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-cluster-'));
  const [user, group] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  ) as [number, number];
  chownSync(folder, user, group);
  chmodSync(folder, 0o755);
  const children = new Map<string, ChildProcess>();
  const startProgram = (name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const asUser = ['--reuid', String(user), '--regid', String(group), '--clear-groups', '--'];
    const child = spawn('setpriv', [...asUser, ...command], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    children.set(name, child);
  };

  const writeConfig = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chownSync(path, user, group);
    return path;
  };
  const config = writeConfig('patroni.yaml', readShippedFile('patroni.yaml'));
  const dataFolderOf = (member: number) => join(folder, `data-${member}`);
  const startMember = (member: number) =>
    startProgram(`patroni-${member}`, [programs.patroni, config], {
      ...variablesOf('node.env', member),
      PATRONI_POSTGRESQL_DATA_DIR: dataFolderOf(member),
    });
  for (const member of MEMBERS) {
    const ETCD_DATA_DIR = join(folder, `etcd-${member}`);
    startProgram(`etcd-${member}`, [programs.etcd], {
      ...variablesOf('etcd.env', member),
      ETCD_DATA_DIR,
    });
  }
  startProgram('haproxy', [
    programs.haproxy,
    '-f',
    writeConfig('haproxy.cfg', readShippedFile('haproxy.cfg')),
  ]);
  startMember(1);
  await until(async () => (await roleOf(1)) === 'primary' || null);
  for (const member of MEMBERS.slice(1)) startMember(member);
  await waitForHealthy();
  const queryAsSuperuser = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: PRIMARY_URL });
    await client.connect();
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    await client.end();
    return results.at(-1)?.rows ?? [];
  };
  const createStatement = (name: string) =>
    `CREATE DATABASE ${name} OWNER radar TEMPLATE template0 ENCODING 'UTF8'`;
  const rows = await queryAsSuperuser(
    `CREATE ROLE radar LOGIN PASSWORD 'change-me-4'`,
    `ALTER ROLE radar SET statement_timeout = '60s'`,
    `ALTER ROLE radar SET jit = off`,
    createStatement('radar'),
    `SELECT passwd FROM pg_shadow WHERE usename = 'radar'`,
  );
  const users = writeConfig('userlist.txt', `"radar" "change-me-4"\n`);
  if (!String(rows[0]?.passwd).startsWith('SCRAM'))
    throw new Error('the server stores MD5 passwords');
  const pooler = readShippedFile('pgbouncer.ini').replace('/etc/pgbouncer/userlist.txt', users);
  startProgram('pgbouncer', [programs.pgbouncer, writeConfig('pgbouncer.ini', pooler)]);
  const redis = ['--port', '6379', '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  startProgram('redis', [programs['redis-server'], ...redis, '--maxmemory-policy', 'noeviction']);

  const readPrimary = async () => {
    const roles = await Promise.all(MEMBERS.map(roleOf));
    const index = roles.indexOf('primary');
    return index < 0 ? null : index + 1;
  };
  const killServer = (member: number) => {
    const file = join(dataFolderOf(member), 'postmaster.pid');
    if (!existsSync(file)) return;
    const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
    for (const pid of [postmaster, ...childrenOf(postmaster)]) killProcess(pid);
  };
  return {
    nodeEnvironment: variablesOf('radar.env', 1),
    readPrimary,
    killPrimary: async (loss) => {
      const member = await until(readPrimary);
      if (loss === 'machine') children.get(`patroni-${member}`)?.kill('SIGKILL');
      killServer(member);
      return member;
    },
    restart: (member) => {
      const child = children.get(`patroni-${member}`);
      if (child?.exitCode === null && child.signalCode === null) return;
      startMember(member);
    },
    waitForHealthy,
    createDatabase: async (name) => {
      await queryAsSuperuser(createStatement(name));
    },
    stop: () => {
      for (const child of children.values()) child.kill('SIGKILL');
      for (const member of MEMBERS) killServer(member);
    },
  };
}

/** Reads a page of Patroni's REST API; null: Patroni does not respond. */
async function readPatroni<T>(member: number, path: string): Promise<T | null> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetch(`http://127.0.1.${member}:8008${path}`, { signal });
    return (await response.json()) as T;
  } catch {
    return null;
  }
}

async function roleOf(member: number): Promise<'primary' | 'standby' | null> {
  const page = await readPatroni<{ role?: string; state?: string }>(member, '/patroni');
  if (page === null) return null;
  const { role, state } = page;
  if (state !== 'running') return null;
  return role === 'master' || role === 'primary' ? 'primary' : 'standby';
}

async function waitForHealthy(): Promise<void> {
  await until(async () => {
    const readClusterPage = (member: number) =>
      readPatroni<{ members: Member[] }>(member, '/cluster');
    const clusterPage = (await Promise.all(MEMBERS.map(readClusterPage))).find(
      (member) => member !== null,
    );
    const roles = clusterPage?.members
      .filter(({ state }) => state === 'running' || state === 'streaming')
      .map(({ role }) => role)
      .sort();
    return roles?.join() === 'leader,replica,sync_standby' || null;
  });
  // haproxy must have detected the primary too.
  await until(async () => ((await isWritable()) ? true : null));
}

type Member = { readonly role: string; readonly state: string };

/** Whether port 5000 connects to a server that accepts a write. */
async function isWritable(): Promise<boolean> {
  const client = new pg.Client({ connectionString: PRIMARY_URL, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
    return rows[0].standby === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Milliseconds from this call until Patroni, and then haproxy, has a new primary. */
export async function timePromotion(cluster: Cluster, lostMember: number) {
  const { sleep } = runningClock();
  const startedAt = Date.now();
  for (;;) {
    const member = await cluster.readPrimary();
    if (member !== null && member !== lostMember) break;
    await sleep(20);
  }
  const promotedMs = Date.now() - startedAt;
  while (!(await isWritable())) await sleep(20);
  return { promotedMs, reachableMs: Date.now() - startedAt };
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended with its parent.
  }
}
