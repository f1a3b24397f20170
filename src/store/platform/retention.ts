// Removes old months from the database. A month is a partition. It is detached from its table in
// one short transaction, then written into files and read back, and dropped last. An interruption
// at any place loses nothing: the next run continues with the detached table.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { countLines, quoteName, setCopySettings } from '../backup/copy-format.ts';
import { compactSelectedChanges } from '../radar/publication/selected-changes.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from './db.ts';
import { inOwnTransaction, type OwnTransaction, onOwnSession } from './own-session.ts';
import {
  lockPartitions,
  type Partition,
  type PartitionedTable,
  readPartitions,
  startOfMonth,
} from './partitions.ts';
import { shortenLockWaits, withShortLocks } from './short-locks.ts';

/** Months to keep per table; null: all. */
export type RetentionPolicy = Readonly<Record<PartitionedTable, number | null>> & {
  /** Months after which only the newest state of each selected item stays; null: never. */
  readonly selected_ledger: number | null;
};

/** Storage of exported months: a folder or an S3 store. */
export type RetiredFiles = {
  put(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Uint8Array>;
};

export type ExpiredPartition = Partition & {
  readonly since: number | null;
  readonly until: number;
  readonly rows: number;
  readonly bytes: number;
  /** The reason why the month must stay in the database; null: it can be removed. */
  readonly blockedBy: string | null;
};

export type TableRetention = {
  readonly table: PartitionedTable | 'selected_ledger';
  readonly months: number | null;
  readonly rows: number;
  readonly bytes: number;
  readonly oldest: number | null;
  /** The name is part of the JSON output of `radar data retention`. */
  readonly expired: readonly ExpiredPartition[];
  /** Superseded states that the compaction deletes. */
  readonly compacted: number;
};

/** Bytes of a file before compression. */
const FILE_BYTES = 16 * 2 ** 20;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

const fileName = (partition: string, part: number): string =>
  `${partition}.${String(part).padStart(6, '0')}.copy.gz`;

/** The instant of a bound; see `partition_bound` in the migrations. */
function instantOf(table: PartitionedTable, bound: string): number {
  if (table === 'calls') return Number.parseInt(bound.slice('req_'.length), 16);
  return Date.parse(bound.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

/** Returns the months and rows that the policy would remove now, by table. */
export async function planRetention(
  world: World,
  db: Db,
  policy: RetentionPolicy,
): Promise<readonly TableRetention[]> {
  const partitions = await readPartitions(db);
  const retired = new Set(
    (await sqlOf(db).selectFrom('retired_partitions').select('name').execute()).map(
      ({ name }) => name,
    ),
  );
  const now = world.clock.now();
  const tables: TableRetention[] = [];
  for (const table of ['calls', 'entries', 'readings', 'publication_log'] as const) {
    const months = policy[table];
    const size = await sizeOf(db, table);
    const expired: ExpiredPartition[] = [];
    for (const partition of partitions.filter((each) => each.table === table)) {
      const until = instantOf(table, partition.to);
      if (months === null || until > startOfMonth(now, -months) || retired.has(partition.name))
        continue;
      const { rows, bytes } = await sizeOf(db, partition.name);
      const since = partition.from === null ? null : instantOf(table, partition.from);
      expired.push({
        ...partition,
        since,
        until,
        rows,
        bytes,
        blockedBy: await blockerOf(db, partition),
      });
    }
    const oldest = await oldestOf(db, table);
    tables.push({ table, months, ...size, oldest, expired, compacted: 0 });
  }
  tables.push(await planCompaction(db, now, policy.selected_ledger));
  return tables;
}

const timeColumns = {
  calls: 'opened_at',
  entries: 'at',
  readings: 'started_at',
  publication_log: 'at',
} as const satisfies Record<PartitionedTable, string>;

async function oldestOf(db: Db, table: PartitionedTable): Promise<number | null> {
  const { rows } = await sql<{ oldest: number | null }>`
    SELECT min(${sql.ref(timeColumns[table])}) AS oldest FROM ${sql.table(table)}`.execute(
    sqlOf(db),
  );
  return rows[0]?.oldest ?? null;
}

/** Estimated rows, and bytes with indexes, of a table or of one partition. */
async function sizeOf(
  db: Db,
  name: string,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const { rows } = await sql<{ rows: number; bytes: number }>`
    SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint AS rows,
      coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relkind = 'r' AND (
      (i.inhparent = to_regclass('public.' || ${name}) AND c.relispartition)
      OR c.oid = coalesce(to_regclass('partitions.' || ${name}), to_regclass('public.' || ${name}))
    )`.execute(sqlOf(db));
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** The reason why a month must stay in the database; null: none. */
async function blockerOf(db: Db, { table, name, from, to }: Partition): Promise<string | null> {
  const partition = sql.id('partitions', name);
  const query = sqlOf(db);
  if (table === 'readings') return null;
  if (table === 'publication_log') {
    const { rows } = await sql<{ isNeeded: boolean }>`
      SELECT coalesce((SELECT max(seq) FROM ${partition}) >= least(
        (SELECT min(seq) FROM log_consumers), (SELECT min(edition_seq) FROM nodes),
        (SELECT min(seq) FROM publication_head)), false) AS "isNeeded"`.execute(query);
    return rows[0]?.isNeeded ? 'a node or a consumer has not read it' : null;
  }
  if (table === 'entries') {
    const { rows } = await sql<{ isAfter: boolean; isUncounted: boolean }>`
      SELECT m.last > coalesce(k.last_seq, 0) AS "isAfter",
        m.last > coalesce((SELECT max(through) FROM ledger_figures), 0) AS "isUncounted"
      FROM (SELECT coalesce(max(seq), 0) AS last FROM ${partition}) AS m
      LEFT JOIN (SELECT last_seq FROM ledger_checkpoints ORDER BY number DESC LIMIT 1) AS k
        ON true`.execute(query);
    if (rows[0]?.isAfter) return 'entries after the last checkpoint';
    return rows[0]?.isUncounted ? 'entries that the metrics do not contain' : null;
  }
  const { rows } = await sql<{ reason: string | null }>`
    SELECT CASE
      WHEN m.newest IS NULL THEN NULL
      WHEN EXISTS (SELECT FROM ${partition} c WHERE c.state IN ('held', 'unknown'))
        THEN 'a call is running'
      WHEN k.opened_since IS NULL OR k.opened_since <= m.newest
        THEN 'calls after the last checkpoint'
      WHEN k.usage_through <= m.newest OR EXISTS (SELECT FROM usage_running u
        WHERE u.request_id >= ${from ?? ''} AND u.request_id < ${to})
        THEN 'calls that the last checkpoint of usage does not contain'
      WHEN EXISTS (SELECT FROM checkpoint_balances b WHERE b.checkpoint = k.number
        AND b.request_id >= ${from ?? ''} AND b.request_id < ${to})
        OR EXISTS (SELECT FROM unnest(k.usage_running) AS w(id)
          WHERE w.id >= ${from ?? ''} AND w.id < ${to})
        THEN 'a call was running at the last checkpoint'
      WHEN EXISTS (SELECT FROM entries e CROSS JOIN LATERAL unnest(e.requests) AS r(id)
        WHERE e.seq > k.last_seq AND r.id >= ${from ?? ''} AND r.id < ${to})
        THEN 'an entry after the last checkpoint names a call'
    END AS reason
    FROM (SELECT max(opened_at) AS newest FROM ${partition}) AS m
    LEFT JOIN (SELECT * FROM ledger_checkpoints ORDER BY number DESC LIMIT 1) AS k
      ON true`.execute(query);
  return rows[0]?.reason ?? null;
}

/** Counts the states of selected items that were superseded before the months to keep. */
async function planCompaction(db: Db, now: number, months: number | null): Promise<TableRetention> {
  const before = months === null ? null : toTimestamp(startOfMonth(now, -months));
  const { rows } = await sql<{ compacted: number; oldest: number | null }>`
    SELECT count(*) FILTER (WHERE n.changed_at < ${before}::timestamptz)::int AS compacted,
      min(l.changed_at) AS oldest
    FROM selected_ledger l LEFT JOIN selected_ledger n ON n.seq = l.superseded_seq`.execute(
    sqlOf(db),
  );
  const size = await sizeOf(db, 'selected_ledger');
  const { compacted = 0, oldest = null } = rows[0] ?? {};
  return { table: 'selected_ledger', months, ...size, oldest, expired: [], compacted };
}

/**
 * Applies the policy and reports each step. `files` null: months are deleted without an export.
 * Throws a Fault `invalid_request` for a month of the ledger that cannot be exported.
 */
export async function applyRetention(
  world: World,
  db: Db,
  policy: RetentionPolicy,
  {
    files,
    report,
  }: { readonly files: RetiredFiles | null; readonly report: (step: string) => void },
): Promise<void> {
  await exportDetached(world, db, files, report);
  for (const { expired } of await planRetention(world, db, policy)) {
    for (const partition of expired) {
      if (partition.blockedBy !== null) {
        report(`${partition.name} stays: ${partition.blockedBy}`);
        continue;
      }
      if (!(await detachPartition(world, db, partition))) continue;
      await exportDetached(world, db, files, report);
    }
  }
  if (policy.selected_ledger === null) return;
  const before = startOfMonth(world.clock.now(), -policy.selected_ledger);
  const compacted = await compactSelectedChanges(db, before);
  if (compacted > 0) report(`selected_ledger: ${compacted} superseded states deleted`);
}

/**
 * Detaches a month in one transaction with short locks. Entries that stay in the database become
 * the new content of the partition. False: the month must stay in the database for now.
 */
async function detachPartition(
  world: World,
  db: Db,
  partition: ExpiredPartition,
): Promise<boolean> {
  const { table, name, from, to, since, until } = partition;
  const detachedName = `${name}_leaving`;
  return withShortLocks(world, db, async (tx) => {
    await lockPartitions(tx);
    await shortenLockWaits(tx);
    const query = sqlOf(tx);
    await sql.raw(`LOCK TABLE ONLY ${quoteName(table)} IN ACCESS EXCLUSIVE MODE`).execute(query);
    if ((await blockerOf(tx, partition)) !== null) return false;
    await sql`SELECT partition_detach(${table}, ${name}, ${from}::text, ${to})`.execute(query);
    const { rows } = await sql<{ name: string }>`
      SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = ${`partitions.${detachedName}`}::regclass AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum`.execute(query);
    await query
      .insertInto('retired_partitions')
      .values({
        table_name: table,
        name,
        since: toTimestampOrNull(since),
        until: toTimestamp(until),
        detached_at: toTimestamp(world.clock.now()),
        retired_at: null,
        rows: 0,
        columns: rows.map((row) => row.name),
        files: 0,
        bytes: 0,
        sha256: null,
      })
      .execute();
    return true;
  });
}

type RetiredMonth = {
  readonly table_name: string;
  readonly name: string;
  readonly columns: readonly string[];
};

/** Writes detached months into files, reads these back, and drops the months. */
async function exportDetached(
  world: World,
  db: Db,
  files: RetiredFiles | null,
  report: (step: string) => void,
): Promise<void> {
  const pending = await sqlOf(db)
    .selectFrom('retired_partitions')
    .select(['table_name', 'name', 'columns'])
    .where('retired_at', 'is', null)
    .orderBy('until')
    .orderBy('name')
    .execute();
  for (const retired of pending) {
    if (files === null && isOfLedger(retired)) {
      throw new Fault('invalid_request', `retention.files is needed to export ${retired.name}.`);
    }
    const options = { applicationName: 'radar retention', isSnapshot: false };
    await inOwnTransaction(db, options, async (own) => {
      await lockPartitions(own.tx);
      const query = sqlOf(own.tx);
      const exportedRows = files === null ? null : await exportRows(own, retired, files);
      await query
        .updateTable('retired_partitions')
        .set({
          retired_at: toTimestamp(world.clock.now()),
          ...(exportedRows !== null && exportedRows),
        })
        .where('name', '=', retired.name)
        .execute();
      await sql.raw(`DROP TABLE ${quoteName(`partitions.${retired.name}_leaving`)}`).execute(query);
      const outcome =
        exportedRows === null
          ? 'deleted'
          : `${exportedRows.rows} rows in ${exportedRows.files} files`;
      report(`${retired.name}: ${outcome}`);
    });
  }
}

const isOfLedger = ({ table_name }: RetiredMonth) =>
  table_name === 'calls' || table_name === 'entries';

async function exportRows(
  { tx, client }: OwnTransaction,
  { table_name, name, columns }: RetiredMonth,
  files: RetiredFiles,
) {
  await setCopySettings(tx);
  // Entries that belong to no call stayed in the database when the month was detached.
  const where =
    table_name === 'entries' ? "WHERE kind IN ('reserve', 'remeasure', 'capture', 'release')" : '';
  const from = quoteName(`partitions.${name}_leaving`);
  const select = `SELECT ${columns.map(quoteName).join(', ')} FROM ${from} ${where}`;
  const hash = createHash('sha256');
  let [rows, bytes, parts, bufferedBytes] = [0, 0, 0, 0];
  let pieces: Buffer[] = [];
  const flush = async () => {
    if (bufferedBytes === 0) return;
    parts += 1;
    await files.put(fileName(name, parts), await compress(Buffer.concat(pieces, bufferedBytes)));
    [pieces, bufferedBytes] = [[], 0];
  };
  const stream = client.query(copyTo(`COPY (${select}) TO STDOUT`));
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    rows += countLines(chunk);
    bytes += chunk.length;
    bufferedBytes += chunk.length;
    pieces.push(chunk);
    if (bufferedBytes >= FILE_BYTES) await flush();
  }
  await flush();
  const sha256 = hash.digest();
  const writtenHash = createHash('sha256');
  for await (const part of readParts(files, name, parts)) writtenHash.update(part);
  if (!writtenHash.digest().equals(sha256)) {
    throw new Fault(
      'temporarily_unavailable',
      `The files of ${name} differ from its rows. Run again: radar data retention --apply`,
    );
  }
  return { rows, bytes, files: parts, sha256 };
}

async function* readParts(files: RetiredFiles, name: string, parts: number) {
  for (let part = 1; part <= parts; part += 1) {
    const bytes = await files.read(fileName(name, part)).catch((error) => {
      throw unreadableFault(name, part, error);
    });
    yield await decompress(bytes).catch((error) => {
      throw unreadableFault(name, part, error);
    });
  }
}

const unreadableFault = (name: string, part: number, cause: unknown) =>
  new Fault('invalid_request', `The file ${fileName(name, part)} cannot be read.`, { cause });

/** The beginning of the COPY statement that loads the exported rows of a table. */
const loadStatements: Readonly<Record<string, string>> = {
  calls: 'COPY ledger_audit.loaded_calls',
  entries: 'COPY ledger_audit.loaded_entries',
};

/** Exported months of the ledger, oldest first. */
export async function listExportedLedgerMonths(db: Db) {
  return sqlOf(db)
    .selectFrom('retired_partitions')
    .selectAll()
    .where('table_name', 'in', ['calls', 'entries'])
    .orderBy('until')
    .orderBy('name')
    .execute();
}

/**
 * Runs `work` in a snapshot that also contains the exported months of the ledger, loaded from their
 * files. The loaded rows are never committed.
 */
export async function withExportedLedger<T>(
  db: Db,
  files: RetiredFiles | null,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const months = await listExportedLedgerMonths(db);
  const pending = months.find(({ retired_at }) => retired_at === null);
  if (pending !== undefined) {
    throw new Fault(
      'temporarily_unavailable',
      `${pending.name} is being exported. Complete it with: radar data retention --apply`,
    );
  }
  if (months.length > 0 && files === null) {
    throw new Fault(
      'invalid_request',
      `A full audit needs the files of ${months.map(({ name }) => name).join(', ')}: set ` +
        'retention.files in radar.config.json.',
    );
  }
  return onOwnSession(db, 'radar audit', async (single, client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    try {
      await setCopySettings(single);
      for (const { name, table_name, columns, files: parts, sha256 } of months) {
        const hash = createHash('sha256');
        const source = async function* () {
          for await (const part of readParts(files as RetiredFiles, name, parts)) {
            hash.update(part);
            yield part;
          }
        };
        const target = client.query(
          copyFrom(
            `${loadStatements[table_name] ?? ''} (${columns.map(quoteName).join(', ')}) FROM STDIN`,
          ),
        );
        await pipeline(Readable.from(source()), target);
        if (!hash.digest().equals(sha256 ?? Buffer.alloc(0))) {
          throw new Fault('invalid_request', `The files of ${name} were changed.`);
        }
      }
      await client.query('ANALYZE ledger_audit.loaded_calls, ledger_audit.loaded_entries');
      return await work(single);
    } finally {
      await client.query('ROLLBACK').catch(() => {});
    }
  });
}
