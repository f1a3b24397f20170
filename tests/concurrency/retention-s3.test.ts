// An operator's command moves months of the ledger to an S3-compatible store. No data is lost when
// the store refuses a file, and a full audit reads the months from the store.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { addMonthlyPartitions, fillLedger } from '../../bench/growth/fill-ledger.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openS3, s3Key } from '../capabilities/s3-server.ts';
import { checkpointLedger } from '../ledger/checkpoint-ledger.ts';
import { runRadarCommand, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const CALLS = 3_000;
const world = { ...testWorld().world, clock: runningClock() };
const { db, connection } = await openTestDatabase();
const store = await openS3();
afterAll(() => store.close());
const DATA_DIR = temporaryDataDir();

/** Runs a command with this secret key for the store. */
function runCommand(secretAccessKey: string, ...args: readonly string[]) {
  const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
  const media = { kind: 's3', url: store.url, bucket: 'radar-media', ...s3Key, secretAccessKey };
  const retention = { files: 's3', ledgerMonths: 3 };
  writeFileSync(
    RADAR_CONFIG,
    JSON.stringify({ logLevel: 'warn', providers: { media }, retention }),
  );
  return runRadarCommand(args, { DATABASE_URL: urlOf(connection), DATA_DIR, RADAR_CONFIG });
}

const rightKey = s3Key.secretAccessKey;
const auditAll = () => runCommand(rightKey, 'ledger', 'audit', '--full');

async function fillMonths(): Promise<void> {
  const now = world.clock.now();
  const since = new Date(now - 200 * DAY_MS);
  await addMonthlyPartitions(db, since);
  await fillLedger(db, { calls: CALLS, since, until: new Date(now - DAY_MS) });
  await checkpointLedger(world, db);
}

type Month = { readonly name: string; readonly files: number; readonly rows: number } & {
  readonly sha256: Buffer | null;
  readonly isRetired: boolean;
};

async function readArchivedMonths(): Promise<readonly Month[]> {
  const { rows } = await sql<Month>`
    SELECT name, files, rows::int, sha256, retired_at IS NOT NULL AS "isRetired"
    FROM retired_partitions ORDER BY name`.execute(sqlOf(db));
  return rows;
}

test('a month stays in the database when the store refuses the key', async () => {
  await fillMonths();
  const refusedRun = await runCommand('wrong', 'data', 'retention', '--apply');
  expect(refusedRun.code).not.toBe(0);
  expect(refusedRun.err).toContain('store');
  expect(store.objects.size).toBe(0);
  expect((await readArchivedMonths()).map(({ isRetired }) => isRetired)).toEqual([false]);
});

test('months move to the store, and their files match the digests in the database', async () => {
  const appliedRun = await runCommand(rightKey, 'data', 'retention', '--apply');
  expect(appliedRun).toMatchObject({ code: 0 });
  const months = await readArchivedMonths();
  expect(months.length).toBeGreaterThan(4);
  for (const { name, files, rows, sha256, isRetired } of months) {
    const hash = createHash('sha256');
    let lines = 0;
    for (let part = 1; part <= files; part += 1) {
      const key = `retired/${name}.${String(part).padStart(6, '0')}.copy.gz`;
      const bytes = gunzipSync(store.objects.get(key) ?? '');
      hash.update(bytes);
      lines += bytes.toString().split('\n').length - 1;
    }
    expect({ name, isRetired, rows: lines }).toEqual({ name, isRetired: true, rows });
    expect(hash.digest('hex')).toBe(sha256?.toString('hex'));
  }
  const callMonths = months.filter(({ name }) => name.startsWith('calls_'));
  const { rows: keptRows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM calls`.execute(sqlOf(db));
  expect(callMonths.reduce((sum, { rows }) => sum + rows, keptRows[0]?.count ?? 0)).toBe(CALLS);
});

test('a full audit reads the months from the store, and detects a changed file', async () => {
  expect(await auditAll()).toMatchObject({ code: 0 });
  const callKeys = [...store.objects.keys()].filter((key) => key.includes('/calls_'));
  const [firstKey = '', secondKey = ''] = callKeys;
  const original = store.objects.get(firstKey) ?? Buffer.alloc(0);
  store.objects.set(firstKey, store.objects.get(secondKey) ?? Buffer.alloc(0));
  const changedAudit = await auditAll();
  expect(changedAudit.code).not.toBe(0);
  expect(changedAudit.err).toMatch(/The files of calls_\w+ were changed/);
  store.objects.delete(firstKey);
  const missingAudit = await auditAll();
  expect(missingAudit.code).not.toBe(0);
  expect(missingAudit.err).toMatch(/The file calls_\w+\.000001\.copy\.gz cannot be read/);
  store.objects.set(firstKey, original);
  expect(await auditAll()).toMatchObject({ code: 0 });
});
