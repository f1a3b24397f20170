// Opens the database of a process: the server of `DATABASE_URL`, or the embedded server in the data
// folder. The server has responded before the database is returned. `DATABASE_URL` can be a pooler
// that shares sessions between transactions (PgBouncer, `pool_mode = transaction`).
// `DATABASE_DIRECT_URL` is then the server itself. `DATABASE_READ_URL` is a replica for reads that
// may be some seconds old.
import { sql } from 'kysely';
import pg from 'pg';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { openEmbeddedPostgres } from '../embedded-postgres/open.ts';
import { backgroundDb, type Connection, closeDb, openDb, STATEMENT_MS, sqlOf } from './db.ts';
import { watchReplica } from './replica.ts';

export type DatabaseChoice = {
  /** A PostgreSQL server, 15 or later, or its pooler; null: the embedded server. */
  readonly databaseUrl: string | null;
  /** The server itself, when `databaseUrl` is a pooler. */
  readonly databaseDirectUrl?: string | null;
  /** A replica of the server. */
  readonly databaseReadUrl?: string | null;
  readonly dataDir: string;
  /** False only in tests, which need speed and simulate no crashes. */
  readonly isDurable: boolean;
};

export type OpenDatabase = { readonly db: Db; close(): Promise<void> };

/** `server_version_num` of PostgreSQL 15. */
const OLDEST_SERVER = 150_000;
/** Attempts of 1.5 s each. */
const START_TRIES = 10;

export async function openDatabase(world: World, choice: DatabaseChoice): Promise<OpenDatabase> {
  const { databaseUrl, databaseDirectUrl = null, databaseReadUrl = null } = choice;
  if (databaseUrl === null) {
    const embedded = await openEmbeddedPostgres(world.log, choice);
    return openChecked(world, { connection: embedded.connection }, () => embedded.close());
  }
  const connection = { connectionString: databaseUrl };
  const direct = databaseDirectUrl === null ? null : { connectionString: databaseDirectUrl };
  const databases = await openChecked(
    world,
    {
      connection,
      ...(direct !== null && { direct }),
      ...(databaseReadUrl !== null && { replica: { connectionString: databaseReadUrl } }),
    },
    async () => {},
  );
  await closeOnFailure(databases, () =>
    direct === null
      ? checkSessions(world, databases.db, connection, 'DATABASE_URL')
      : checkPooler(world, databases.db, connection, direct),
  );
  return databaseReadUrl === null
    ? databases
    : closeOnFailure(databases, () => withReplica(world, databases));
}

async function withReplica(world: World, { db, close }: OpenDatabase): Promise<OpenDatabase> {
  const watch = await watchReplica(world, db);
  return {
    db,
    close: async () => {
      await watch.close();
      await close();
    },
  };
}

type Addresses = {
  readonly connection: Connection;
  readonly direct?: Connection;
  readonly replica?: Connection;
};

async function openChecked(
  world: World,
  { connection, ...otherAddresses }: Addresses,
  closeServer: () => Promise<void>,
): Promise<OpenDatabase> {
  const db = openDb(world.log, connection, { applicationName: 'radar', ...otherAddresses });
  const close = async () => {
    await closeDb(db);
    await closeServer();
  };
  // A machine that starts many programs at once is slow for a moment.
  await closeOnFailure({ db, close }, () =>
    checkServer(backgroundDb(db, 1, START_TRIES), connection),
  );
  return { db, close };
}

/** Closes the database when a check of it fails. */
async function closeOnFailure<T>(database: OpenDatabase, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkServer(db: Db, connection: Connection): Promise<void> {
  const serverAddress = formatAddress(connection);
  let version: number;
  try {
    const { rows } = await sql<{ version: string; encoding: string }>`
      SELECT current_setting('server_version_num') AS version,
        current_setting('server_encoding') AS encoding`.execute(sqlOf(db));
    version = Number(rows[0]?.version);
    if (rows[0]?.encoding !== 'UTF8') {
      throw new Fault(
        'temporarily_unavailable',
        `The database at ${serverAddress} is not UTF8. Create a database with ` +
          "TEMPLATE template0 ENCODING 'UTF8'.",
      );
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      'temporarily_unavailable',
      `PostgreSQL at ${serverAddress} refuses the connection: ${messageOf(error)}. ` +
        remedyOf(error),
      { cause: error },
    );
  }
  if (version < OLDEST_SERVER) {
    throw new Fault(
      'temporarily_unavailable',
      `PostgreSQL at ${serverAddress} is version ${Math.floor(version / 10_000)}; ` +
        '15 or later is needed.',
    );
  }
}

/** PgBouncer refuses parameters of a connection that it does not track. */
const remedyOf = (error: unknown): string =>
  /unsupported startup parameter/.test(messageOf(error))
    ? 'DATABASE_URL is a pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'
    : 'Check DATABASE_URL (host, port, user, password, database) and that the server runs.';

/** Fails when the address shares its sessions between transactions. */
async function checkSessions(
  { log }: World,
  db: Db,
  connection: Connection,
  variable: string,
): Promise<void> {
  if (await sharesSessions(connection)) {
    throw new Fault(
      'temporarily_unavailable',
      `${variable} (${formatAddress(connection)}) is a pooler that shares sessions between ` +
        'transactions. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    );
  }
  const timeoutMs = await statementTimeoutMs(db);
  if (timeoutMs !== STATEMENT_MS) log.warn({ timeoutMs }, NO_TIMEOUT);
}

const NO_TIMEOUT =
  'the pooler drops statement_timeout: set it for the role of the radar ' +
  "(ALTER ROLE … SET statement_timeout = '60s')";

async function checkPooler(
  { log }: World,
  db: Db,
  connection: Connection,
  direct: Connection,
): Promise<void> {
  const directDb = openDb(log, direct, { applicationName: 'radar', maxConnections: 1 });
  try {
    await checkServer(backgroundDb(directDb, 1, START_TRIES), direct);
    if (await sharesSessions(direct)) {
      throw new Fault(
        'temporarily_unavailable',
        `DATABASE_DIRECT_URL (${formatAddress(direct)}) is a pooler that shares sessions between ` +
          'transactions. It must be the address of PostgreSQL itself.',
      );
    }
    if ((await identityOf(db)) !== (await identityOf(directDb))) {
      throw new Fault(
        'temporarily_unavailable',
        `DATABASE_URL (${formatAddress(connection)}) and DATABASE_DIRECT_URL ` +
          `(${formatAddress(direct)}) are different databases.`,
      );
    }
  } finally {
    await closeDb(directDb);
  }
  const timeoutMs = await statementTimeoutMs(db);
  if (timeoutMs === 0) log.warn({ timeoutMs }, NO_TIMEOUT);
}

const SESSION_ROUNDS = 3;

/**
 * Whether two idle clients receive the same session in turns. A pooler in transaction mode assigns
 * the session that was used last; a server gives each client its own session. Other clients of a
 * pooler can receive that session between two queries, so there are several rounds.
 */
async function sharesSessions(connection: Connection): Promise<boolean> {
  const clients = [0, 1].map(() => new pg.Client({ ...connection, application_name: 'radar' }));
  for (const client of clients) client.on('error', () => {});
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const sessions = clients.map(() => new Set<unknown>());
    for (let round = 0; round < SESSION_ROUNDS; round += 1) {
      for (const [index, client] of clients.entries()) {
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
        sessions[index]?.add(rows[0]?.pid);
      }
    }
    const [first = new Set(), second = new Set()] = sessions;
    return !first.isDisjointFrom(second);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function statementTimeoutMs(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: string }>`
    SELECT setting AS ms FROM pg_settings WHERE name = 'statement_timeout'`.execute(sqlOf(db));
  return Number(rows[0]?.ms);
}

/** The server and database of a connection, as text. */
async function identityOf(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    SELECT concat_ws(' ', system_identifier, current_database()) AS identity
    FROM pg_control_system()`.execute(sqlOf(db));
  return rows[0]?.identity ?? '';
}

/** The address of a database without its password. */
function formatAddress(connection: Connection): string {
  if (!('connectionString' in connection)) return `${connection.host}:${connection.port}`;
  const url = new URL(connection.connectionString);
  return `${url.hostname || 'localhost'}:${url.port || '5432'}${url.pathname}`;
}
