// Restores an archive completely or not at all, in one transaction of an empty database. The tables
// are created as they were at the time of the archive, filled, and then migrated to this version.
// The transaction commits only after the last checksum of the archive was compared.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import { assert } from '../../kernel/errors/assert.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { sqlOf } from '../platform/db.ts';
import {
  createEmptySchema,
  listAppliedMigrations,
  migrate,
  tryLockMigrations,
} from '../platform/migrate.ts';
import { deleteAllNodes } from '../platform/nodes.ts';
import { inOwnTransaction, type OwnTransaction } from '../platform/own-session.ts';
import { restorePartitions } from '../platform/partitions.ts';
import { beginEpoch } from '../radar/publication/publication-head.ts';
import { damagedFault, type End, type Manifest } from './archive.ts';
import { type ArchiveContents, quoteName, setCopySettings } from './copy-format.ts';
import { type Piece, readArchive } from './read-archive.ts';
import {
  type CatalogTable,
  countRelations,
  listSequenceNames,
  readTables,
} from './read-catalog.ts';
import { openMediaStage } from './stage-media.ts';

export type RestoreRequest = {
  readonly path: string;
  /** Returns the passphrase; called only for an encrypted archive. */
  readonly passphrase: () => Promise<string>;
  /** Null: media are stored elsewhere, and media in the archive are skipped. */
  readonly mediaFolder: string | null;
  readonly onProgress: (text: string) => void;
  /** Runs in the transaction of the restore, after its migrations. */
  readonly beforeCommit?: (tx: Db) => Promise<void>;
};

export type RestoreResult = Omit<ArchiveContents, 'bytes'> & {
  /** Migrations that were applied after the rows were restored. */
  readonly migrated: readonly string[];
};

/** Throws a Fault `invalid_request` that names the problem; then nothing was stored. */
export async function restoreBackup(
  world: World,
  db: Db,
  input: RestoreRequest,
): Promise<RestoreResult> {
  const pieces = readArchive(input.path, input.passphrase);
  const stage = await openMediaStage(input.mediaFolder);
  try {
    const first = await pieces.next();
    assert(first.value?.kind === 'manifest', 'an archive begins with its manifest');
    const { manifest } = first.value;
    const options = { applicationName: 'radar restore', isSnapshot: false };
    const restored = await inOwnTransaction(db, options, async (own) => {
      await prepareSchema(own.tx, manifest);
      const end = await restoreRows(own, { manifest, pieces, stage, request: input });
      const migrated = await finishRestore(world, own.tx, manifest, end);
      await input.beforeCommit?.(own.tx);
      await stage.moveFiles();
      return { manifest, end, migrated };
    });
    stage.confirm();
    // The planner has no statistics of the filled tables until the next autovacuum.
    await sql`ANALYZE`
      .execute(sqlOf(db))
      .catch((error) =>
        world.log.warn({ error: messageOf(error) }, 'the restored tables were not analyzed'),
      );
    return restored;
  } finally {
    await pieces.return();
    await stage.close();
  }
}

async function prepareSchema(
  tx: Db,
  { migrations, partitions, createdAt }: Manifest,
): Promise<void> {
  if (!(await tryLockMigrations(tx))) {
    throw new Fault(
      'temporarily_unavailable',
      'Another process of the radar is starting on this database, or restoring into it. ' +
        'Stop that process first.',
    );
  }
  const count = await countRelations(tx);
  if (count > 0) {
    throw new Fault(
      'invalid_request',
      `The database is not empty (it has ${count} tables, views and sequences), and a restore ` +
        'overwrites nothing. Use an empty database: another DATA_DIR, or a new database on the ' +
        'server. Nothing was changed.',
    );
  }
  await createEmptySchema(tx, migrations, Date.parse(createdAt));
  await restorePartitions(tx, partitions ?? []);
  await setCopySettings(tx);
}

type TableRestore = {
  readonly manifest: Manifest;
  readonly pieces: AsyncGenerator<Piece, void, undefined>;
  readonly stage: Awaited<ReturnType<typeof openMediaStage>>;
  readonly request: RestoreRequest;
};

async function restoreRows(
  own: OwnTransaction,
  { manifest, pieces, stage, request: { onProgress } }: TableRestore,
): Promise<End> {
  const tables = await readTables(own.tx);
  refuseDifferentTables(manifest, tables);
  const tablesWithTriggers = tables.filter(({ hasTriggers }) => hasTriggers);
  // Rows that triggers created are in the archive already.
  await setTriggers(own.tx, tablesWithTriggers, 'DISABLE');
  const source = openPieceReader(pieces);
  const rowCounts = new Map<string, number>();
  for (let piece = await source.peek(); piece !== null; piece = await source.peek()) {
    if (piece.kind === 'rows') {
      const { table } = piece;
      const number = tables.findIndex(({ name }) => name === table) + 1;
      const report = (rows: number) =>
        onProgress(`Table ${number} of ${tables.length}, ${table}: ${rows} rows`);
      rowCounts.set(table, await copyRows(own, manifest, table, source, report));
    } else if (piece.kind === 'media') {
      await stage.put(piece.name, piece.bytes);
      source.consume();
    } else if (piece.kind === 'end') {
      for (const { name, rows } of piece.end.tables) {
        if (rows !== (rowCounts.get(name) ?? 0)) throw damagedFault(`rows of ${name} are missing`);
      }
      source.consume();
      const last = await source.peek();
      assert(last === null, 'nothing follows the end');
      await setTriggers(own.tx, tablesWithTriggers, 'ENABLE');
      return piece.end;
    }
  }
  throw damagedFault('end.json is missing');
}

function refuseDifferentTables({ tables }: Manifest, createdTables: readonly CatalogTable[]): void {
  const columnsOf = (columns: readonly string[]) => [...columns].sort().join();
  for (const { name, columns } of tables) {
    const table = createdTables.find((each) => each.name === name);
    if (table === undefined) throw damagedFault(`its migrations create no table ${name}`);
    if (columnsOf(table.columns) !== columnsOf(columns)) {
      throw damagedFault(`its migrations create other columns of ${name}`);
    }
  }
  const missing = createdTables.find(({ name }) => !tables.some((table) => table.name === name));
  if (missing !== undefined) throw damagedFault(`${missing.name} is missing`);
  if (new Set(tables.map(({ name }) => name)).size !== tables.length) {
    throw damagedFault('manifest.json lists a table twice');
  }
}

async function setTriggers(
  tx: Db,
  tables: readonly CatalogTable[],
  action: 'ENABLE' | 'DISABLE',
): Promise<void> {
  for (const { name } of tables) {
    await sql.raw(`ALTER TABLE ${quoteName(name)} ${action} TRIGGER USER`).execute(sqlOf(tx));
  }
}

type PieceReader = {
  /** Returns the next piece without consuming it. */
  peek(): Promise<Piece | null>;
  consume(): void;
};

function openPieceReader(pieces: AsyncGenerator<Piece, void, undefined>): PieceReader {
  let peekedPiece: Piece | null = null;
  return {
    peek: async () => {
      if (peekedPiece === null) {
        const next = await pieces.next();
        peekedPiece = next.done ? null : next.value;
      }
      return peekedPiece;
    },
    consume: () => {
      peekedPiece = null;
    },
  };
}

async function copyRows(
  { client }: OwnTransaction,
  { tables }: Manifest,
  table: string,
  source: PieceReader,
  report: (rows: number) => void,
): Promise<number> {
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  const target = `${quoteName(table)} (${columns.map(quoteName).join(', ')})`;
  const rows = client.query(copyFrom(`COPY ${target} FROM STDIN`));
  let failure: { readonly error: unknown } | null = null;
  async function* streamRows() {
    try {
      for (let piece = await source.peek(); ; piece = await source.peek()) {
        if (piece?.kind !== 'rows' || piece.table !== table) return;
        yield* piece.bytes;
        source.consume();
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    await pipeline(Readable.from(streamRows()), rows);
  } catch (error) {
    // The type checker ignores the assignment in the generator.
    const restoreFailure = failure as { readonly error: unknown } | null;
    if (restoreFailure !== null) throw restoreFailure.error;
    throw damagedFault(`${table} does not accept its rows: ${messageOf(error)}`, error);
  }
  report(rows.rowCount);
  return rows.rowCount;
}

async function finishRestore(
  world: World,
  tx: Db,
  manifest: Manifest,
  { sequences }: End,
): Promise<readonly string[]> {
  const migrations = JSON.stringify(manifest.migrations);
  const restoredMigrations = (await listAppliedMigrations(tx)).map(({ name, hash }) => ({
    name,
    hash,
  }));
  if (JSON.stringify(restoredMigrations) !== migrations)
    throw damagedFault('its tables list other migrations');
  const names = await listSequenceNames(tx);
  for (const { name, last } of sequences) {
    if (!names.includes(name)) throw damagedFault(`its migrations create no sequence ${name}`);
    await sql`SELECT setval(${quoteName(name)}::regclass, ${last}::bigint)`.execute(sqlOf(tx));
  }
  const migrated = await migrate(world, tx);
  await deleteAllNodes(tx);
  // A restore begins a new epoch, so older cursors require a new snapshot.
  await beginEpoch(world, tx, 'restored');
  return migrated;
}
