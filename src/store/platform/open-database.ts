// Opens the database of a process: the server of `DATABASE_URL`, or the embedded one in the data
// folder. It has responded before it is returned.
import { sql } from 'kysely';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { openEmbeddedPostgres } from '../embedded-postgres/open.ts';
import { type Connection, closeDb, openDb, patientDb, sqlOf } from './db.ts';

export type DatabaseChoice = {
  /** A PostgreSQL server, 15 or later; null: the embedded one. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** False only in tests, which need speed and simulate no crashes. */
  readonly isDurable: boolean;
};

export type OpenDatabase = { readonly db: Db; close(): Promise<void> };

const OLDEST_SERVER = 150_000;
/** Attempts of 1.5 s each. */
const START_TRIES = 10;

export async function openDatabase(world: World, choice: DatabaseChoice): Promise<OpenDatabase> {
  if (choice.databaseUrl !== null) {
    return openOn(world, { connectionString: choice.databaseUrl }, async () => {});
  }
  const embedded = await openEmbeddedPostgres(world.log, choice);
  try {
    return await openOn(world, embedded.connection, () => embedded.close());
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

async function openOn(
  world: World,
  connection: Connection,
  closeServer: () => Promise<void>,
): Promise<OpenDatabase> {
  const db = openDb(world.log, connection, { applicationName: 'radar' });
  try {
    // A machine that starts many programs at once is slow for a moment.
    await checkServer(patientDb(db, 1, START_TRIES), connection);
  } catch (error) {
    await closeDb(db);
    throw error;
  }
  return {
    db,
    close: async () => {
      await closeDb(db);
      await closeServer();
    },
  };
}

async function checkServer(db: Db, connection: Connection): Promise<void> {
  const where = describe(connection);
  let version: number;
  try {
    const { rows } = await sql<{ version: string; encoding: string }>`
      SELECT current_setting('server_version_num') AS version,
        current_setting('server_encoding') AS encoding`.execute(sqlOf(db));
    version = Number(rows[0]?.version);
    if (rows[0]?.encoding !== 'UTF8') {
      throw new Fault('temporarily_unavailable', `The database at ${where} is not UTF8.`);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      'temporarily_unavailable',
      `PostgreSQL at ${where} does not let us in: ${messageOf(error)}. ` +
        'Check DATABASE_URL (host, port, user, password, database) and that the server runs.',
      { cause: error },
    );
  }
  if (version < OLDEST_SERVER) {
    throw new Fault(
      'temporarily_unavailable',
      `PostgreSQL at ${where} is version ${Math.floor(version / 10_000)}; 15 or later is needed.`,
    );
  }
}

/** The address of a database without its password. */
function describe(connection: Connection): string {
  if (!('connectionString' in connection)) return `${connection.host}:${connection.port}`;
  const url = new URL(connection.connectionString);
  return `${url.hostname || 'localhost'}:${url.port || '5432'}${url.pathname}`;
}
