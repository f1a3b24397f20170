// Opens the pool; only this file accesses the content of an opaque `Db`. Instants become epoch
// milliseconds, and 64-bit counters become safe integers, so no driver type leaves the store.
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { openSemaphore } from '../../kernel/concurrency/semaphore.ts';
import { assert, requirePresent } from '../../kernel/errors/assert.ts';
import type { Log } from '../../kernel/observability/log.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Schema } from '../schema/schema.ts';

export type Connection = { readonly connectionString: string } | EmbeddedConnection;
type EmbeddedConnection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

type HandleState = {
  readonly kysely: Kysely<Schema>;
  /** The address of the server itself, also behind a pooler. */
  readonly connection: Connection;
  /** Absent: a single connection, or a transaction. */
  readonly pool?: pg.Pool;
  /** Absent: no replica is configured. */
  readonly replica?: Replica;
};

/** A standby of the same server, for reads that may be some seconds old. */
export type Replica = {
  readonly pool: pg.Pool;
  /** Queries run on the primary while no connection to the standby is possible. */
  readonly db: Db;
  readonly status: ReplicaStatus;
};

/** Age of the replica's data in milliseconds; null: the replica is not usable now. */
export type ReplicaStatus = { lagMs: number | null };

const handleStates = new WeakMap<Db, HandleState>();

function openHandle(state: HandleState): Db {
  const db = Object.freeze({}) as Db;
  handleStates.set(db, state);
  return db;
}

const stateOf = (db: Db): HandleState => requirePresent(handleStates.get(db), 'database');

export type DbOptions = {
  /** The `application_name` of each connection: `radar <part> <node id>`. */
  readonly applicationName: string;
  /** 10 when absent. */
  readonly maxConnections?: number;
  /** The longest wait for a connection, ms; 1,500 when absent. */
  readonly connectMs?: number;
  /**
   * The server itself, when `connection` is a pooler that shares its sessions. The pooler accepts
   * no settings of a session, so the role must have `statement_timeout` and `jit`.
   */
  readonly direct?: Connection;
  /** A standby. Nothing uses it before `status.lagMs` is set. */
  readonly replica?: Connection;
};

/** Without a free connection, a client receives "try again" within two seconds. */
const CONNECT_MS = 1_500;
/** The time limit of a statement. Longer work removes the limit for its transaction. */
export const STATEMENT_MS = 60_000;

export function openDb(log: Log, connection: Connection, options: DbOptions): Db {
  const pool = openPool(log, connection, options);
  return openHandle({
    kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    connection: options.direct ?? connection,
    pool,
    ...(options.replica !== undefined && {
      replica: openReplica(pool, openPool(log, options.replica, options), options.replica),
    }),
  });
}

/** A query builder whose connections the caller opens and closes. */
function createKysely(connect: () => Promise<PostgresPoolClient>): Kysely<Schema> {
  const pool = { connect, end: async () => {}, options: {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

function openReplica(primary: pg.Pool, pool: pg.Pool, connection: Connection): Replica {
  // A query fails on a connection whose server has just ended, so the connection is tested first.
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect().catch(() => null);
    if (client === null) return primary.connect();
    try {
      await client.query('SELECT 1');
      return client;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      return primary.connect();
    }
  };
  return {
    pool,
    db: openHandle({ kysely: createKysely(connect), connection }),
    status: { lagMs: null },
  };
}

function openPool(log: Log, connection: Connection, options: DbOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
    idleTimeoutMillis: 30_000,
    ...(options.direct === undefined && { statement_timeout: STATEMENT_MS, onConnect: disableJit }),
    types: { getTypeParser: parserOf },
  });
  // Without a listener, a broken idle connection would end the process. An error while the pool
  // closes is harmless: an embedded server may stop first.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'database connection lost');
  });
  // A broken connection in use must not end the process either: only its query fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * On PostgreSQL 15 with LLVM, four audits of a small ledger took 33 s with just-in-time compilation
 * and 1.4 s without it. Poolers in session mode refuse an unknown setting of the start packet, so
 * this is a statement.
 */
async function disableJit(client: pg.ClientBase): Promise<void> {
  await client.query('SET jit = off');
}

/** Attempts of 1.5 s each. */
const MAX_TRIES = 40;

/**
 * The same database for background work, with at most `maxConnections` connections, so that HTTP
 * requests always find a free connection. Callers queue instead of failing. Closing `db` also
 * closes this handle.
 */
export function backgroundDb(db: Db, maxConnections: number, maxTries = MAX_TRIES): Db {
  const { pool, connection } = stateOf(db);
  if (pool === undefined) return db;
  const semaphore = openSemaphore(maxConnections);
  const connect = async (): Promise<pg.PoolClient> => {
    const releaseSlot = await semaphore.acquire();
    try {
      const client = await connectWithRetry(pool, maxTries);
      const release = client.release.bind(client);
      client.release = (error) => {
        releaseSlot();
        release(error);
      };
      return client;
    } catch (error) {
      releaseSlot();
      throw error;
    }
  };
  return openHandle({ kysely: createKysely(connect), connection });
}

async function connectWithRetry(pool: pg.Pool, maxTries: number): Promise<pg.PoolClient> {
  for (let count = 1; ; count += 1) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isConnectTimeout(error) || count >= maxTries) throw error;
    }
  }
}

/**
 * Whether no connection became free or open in time, usually on a busy machine. The caller retries.
 * The pool reports this by the message of the error, without an error code.
 */
function isConnectTimeout(error: unknown): boolean {
  const timeoutMessages = [
    'timeout exceeded when trying',
    'Connection terminated due to connection timeout',
  ];
  return (
    error instanceof Error && timeoutMessages.some((message) => error.message.startsWith(message))
  );
}

/** A database behind one client that the caller opened and will close. */
export function openDbOn(client: pg.Client, connection: Connection): Db {
  client.setTypeParser(TIMESTAMPTZ, parseTimestamp);
  client.setTypeParser(INT8, parseInt8);
  const sharedConnection = Object.assign(client, { release: () => {} });
  return openHandle({ kysely: createKysely(async () => sharedConnection), connection });
}

export async function closeDb(db: Db): Promise<void> {
  const { kysely, pool, replica } = stateOf(db);
  await kysely.destroy();
  await replica?.pool.end();
  // Kysely does not close a pool that it never used, but the handle for background work may have
  // used it.
  if (pool !== undefined && !pool.ending) await pool.end();
}

/** For `doUpdateSet`: each column gets the value of the row whose insertion conflicted. */
export const excludedValues = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)]));

/** The query builder of a database or its open transaction. For `store` only. */
export function sqlOf(db: Db): Kysely<Schema> {
  return stateOf(db).kysely;
}

/** The replica of a database; undefined: none is configured. For `store/platform` only. */
export function replicaOf(db: Db): Replica | undefined {
  return stateOf(db).replica;
}

/**
 * The database for a read that may be some seconds old: the replica, or the primary while no
 * replica is usable. A transaction reads from its own connection.
 */
export function readOnlyDb(db: Db): Db {
  const { replica } = stateOf(db);
  return replica === undefined || replica.status.lagMs === null ? db : replica.db;
}

/**
 * The address of the server, for code in `store` that needs its own session: LISTEN, session locks,
 * prepared statements, COPY, migrations.
 */
export function connectionOf(db: Db): Connection {
  return stateOf(db).connection;
}

/**
 * Runs `work` in one transaction, which store functions use through `tx`. Within a transaction,
 * `work` becomes part of the open transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const { kysely, connection } = stateOf(db);
  if (kysely.isTransaction) return work(db);
  return kysely.transaction().execute((tx) => work(openHandle({ kysely: tx, connection })));
}

/** Runs several reads on one snapshot. */
export async function inSnapshot<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const { kysely, connection } = stateOf(db);
  return kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => work(openHandle({ kysely: tx, connection })));
}

/** Converts an instant to the driver's type. */
export const toTimestamp = (epochMs: number): Date => new Date(epochMs);
/** An instant for comparison with a column. */
export const instant = (epochMs: number) => sql<number>`${new Date(epochMs)}::timestamptz`;
export const toTimestampOrNull = (epochMs: number | null): Date | null =>
  epochMs === null ? null : new Date(epochMs);

const TIMESTAMPTZ = 1184;
const INT8 = 20;

function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp;
  if (format !== 'binary' && oid === INT8) return parseInt8;
  return pg.types.getTypeParser(oid, format as 'text');
}

function parseTimestamp(text: string): number {
  const date: unknown = pg.types.getTypeParser(TIMESTAMPTZ, 'text')(text);
  assert(date instanceof Date, `timestamps are finite, unlike ${text}`);
  return date.getTime();
}

function parseInt8(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `counters are safe integers, unlike ${text}`);
  return value;
}
