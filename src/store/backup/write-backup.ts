// Writes a backup of a serving system: all tables at one instant, then the media. Media come last,
// so every file that a table refers to exists.
import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { to as copyTo } from 'pg-copy-streams';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { listAppliedMigrations } from '../platform/migrate.ts';
import { inOwnTransaction, type OwnTransaction } from '../platform/own-session.ts';
import { findDetachedPartition, readPartitions } from '../platform/partitions.ts';
import {
  END,
  type End,
  FORMAT,
  isMediaName,
  MANIFEST,
  type Manifest,
  mediaPath,
  rowsName,
} from './archive.ts';
import { type ArchiveWriter, openArchiveWriter } from './archive-writer.ts';
import { type ArchiveContents, countLines, quoteName, setCopySettings } from './copy-format.ts';
import { type CatalogTable, readSequences, readTables } from './read-catalog.ts';

export type BackupRequest = {
  readonly path: string;
  /** Null: the archive is not encrypted. */
  readonly passphrase: string | null;
  /** Null: media are stored elsewhere and are not part of the backup. */
  readonly mediaFolder: string | null;
  /** The program's version. */
  readonly program: string;
  readonly onProgress: (text: string) => void;
};

const PART_BYTES = 2 ** 20;

export async function writeBackup(
  world: World,
  db: Db,
  input: BackupRequest,
): Promise<ArchiveContents> {
  const writer = await openArchiveWriter(world, input.path, input.passphrase);
  try {
    const options = { applicationName: 'radar backup', isSnapshot: true };
    const manifestAndEnd = await inOwnTransaction(db, options, (own) =>
      writeTables(world, own, writer, input),
    );
    const { manifest, end } = manifestAndEnd;
    const media = input.mediaFolder === null ? [] : await writeMedia(writer, input.mediaFolder);
    const completeEnd: End = { ...end, media };
    await writer.add(END, Buffer.from(JSON.stringify(completeEnd)));
    await writer.finish();
    return { manifest, end: completeEnd, bytes: writer.bytesWritten() };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function writeTables(
  world: World,
  own: OwnTransaction,
  writer: ArchiveWriter,
  { program, onProgress }: BackupRequest,
): Promise<{ readonly manifest: Manifest; readonly end: End }> {
  await setCopySettings(own.tx);
  const migrations = await listAppliedMigrations(own.tx);
  if (migrations.length === 0) {
    throw new Fault('invalid_request', 'There is nothing to back up: the database is empty.');
  }
  const detachedPartition = await findDetachedPartition(own.tx);
  if (detachedPartition !== null) {
    throw new Fault(
      'temporarily_unavailable',
      `${detachedPartition} is being moved out of the database. Complete the move first: ` +
        'radar data retention --apply',
    );
  }
  const tables = await readTables(own.tx);
  const manifest: Manifest = {
    format: FORMAT,
    program,
    createdAt: new Date(world.clock.now()).toISOString(),
    migrations: migrations.map(({ name, hash }) => ({ name, hash })),
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    partitions: [...(await readPartitions(own.tx))],
  };
  const text = Buffer.from(JSON.stringify(manifest));
  await writer.add(MANIFEST, text);
  const tableEnds: End['tables'] = [];
  for (const [index, table] of tables.entries()) {
    const report = (rows: number) =>
      onProgress(`Table ${index + 1} of ${tables.length}, ${table.name}: ${rows} rows`);
    tableEnds.push(await writeTable(own, writer, table, report));
  }
  const end = {
    manifest: createHash('sha256').update(text).digest('hex'),
    tables: tableEnds,
    sequences: [...(await readSequences(own.tx))],
    media: [],
  };
  return { manifest, end };
}

/** Splits the output of COPY into parts, because tar needs sizes in advance. */
async function writeTable(
  { client }: OwnTransaction,
  writer: ArchiveWriter,
  { name, columns }: CatalogTable,
  report: (rows: number) => void,
): Promise<End['tables'][number]> {
  const rowsQuery = `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteName(name)}`;
  const rows = client.query(copyTo(`COPY (${rowsQuery}) TO STDOUT`));
  const hash = createHash('sha256');
  let [count, bytes, part] = [0, 0, 0];
  let pieces: Buffer[] = [];
  let bufferedBytes = 0;
  const flush = async () => {
    if (bufferedBytes === 0) return;
    part += 1;
    await writer.add(rowsName(name, part), Buffer.concat(pieces, bufferedBytes));
    report(count);
    pieces = [];
    bufferedBytes = 0;
  };
  report(0);
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    count += countLines(chunk);
    pieces.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes >= PART_BYTES) await flush();
  }
  await flush();
  return { name, rows: count, bytes, sha256: hash.digest('hex') };
}

async function writeMedia(writer: ArchiveWriter, folder: string): Promise<End['media']> {
  const names = (await readdir(folder).catch(() => [])).filter(isMediaName).sort();
  const media: End['media'] = [];
  for (const name of names) {
    // An expired file may have been deleted meanwhile.
    const file = await open(join(folder, name)).catch(() => null);
    if (file === null) continue;
    const { size } = await file.stat();
    const hash = createHash('sha256');
    const stream = file.createReadStream();
    stream.on('data', (chunk) => hash.update(chunk));
    await writer.addFile(mediaPath(name), size, stream);
    media.push({ name, bytes: size, sha256: hash.digest('hex') });
  }
  return media;
}
