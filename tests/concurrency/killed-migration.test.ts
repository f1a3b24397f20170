// `radar migrate` is killed -9 within each migration that partitions the ledger, while a program of
// the former release serves. The next start completes the migrations, and nothing is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { sealJournal } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { readMigrations } from '../../src/store/platform/migrate.ts';
import { expectAuditsPass } from '../ledger/test-wallet.ts';
import { captureRequestOf, PRICE } from '../ledger/wallet-values.ts';
import { projectRoot } from '../support/checkout.ts';
import { callWithKey, openFormerDatabase } from '../support/former-database.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { temporaryDataDir } from '../support/radar-process.ts';
import { runRadar } from '../support/run-radar.ts';
import { urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world } = testWorld();
const { sleep } = runningClock();
const seed = proofSeed();
const random = seededRandom(seed);
const CALLS = proofSize(200, 20_000);
/** Slightly longer than a migration waits for a lock. */
const LONGEST_WAIT_MS = 600;

/** Each migration, and the lock of another session that makes the migration wait in its middle. */
const killPoints = [
  ['0182', 'LOCK TABLE calls IN ROW EXCLUSIVE MODE'],
  ['0183', 'LOCK TABLE entry_references IN SHARE MODE'],
  ['0184', 'LOCK TABLE publication_log IN ACCESS SHARE MODE'],
  ['0184', 'LOCK TABLE sources IN ROW EXCLUSIVE MODE'],
  ['0185', 'SELECT pg_current_xact_id()'],
] as const;

test.each(killPoints)(
  `migration %s, killed while it waits for %s, is completed later (RADAR_SEED=${seed})`,
  async (number, statement) => {
    const { db, connection, applyMigration } = await openFormerDatabase();
    const env = { DATABASE_URL: urlOf(connection), DATA_DIR: temporaryDataDir() };
    const wallet = await openWallet(world, db);
    const amount = BigInt(CALLS + 10) * 2n * PRICE;
    const payment = { accountId: 'acct_one', livemode: true, amount, reference: 'bank-1' };
    await topUp(world, db, { ...payment, reason: null, actor: 'test' });
    const chargedKeys: string[] = [];
    const charge = async (key: string) => {
      const call = callWithKey(world, key);
      expect(await wallet.authorize(call)).toMatchObject({ kind: 'authorized' });
      await wallet.capture(captureRequestOf(call.requestId, 2));
      chargedKeys.push(key);
    };
    await Promise.all(Array.from({ length: CALLS }, (_, index) => charge(`before ${index}`)));
    const heldRequest = callWithKey(world, 'held');
    await wallet.authorize(heldRequest);
    for (const { name } of await readMigrations()) {
      if (name > '0182' && name < number) await applyMigration(db, name);
    }

    const lockHolder = new pg.Client({ ...connection });
    await lockHolder.connect();
    await lockHolder.query(`BEGIN; ${statement}`);
    const migrationProcess = spawn(join(projectRoot, 'bin/radar'), ['migrate'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const exitCode = once(migrationProcess, 'exit');
    await until(async () => (await isWaiting(db, number)) || null);
    const pendingCharge = charge('during');
    await sleep(random.next() * LONGEST_WAIT_MS);
    migrationProcess.kill('SIGKILL');
    expect(await exitCode).toEqual([null, 'SIGKILL']);
    await pendingCharge;
    await charge('killed');
    await lockHolder.end();

    const appliedMigrations = await runRadar(projectRoot, ['migrate'], env);
    expect(appliedMigrations).toContain(`applied ${number}`);
    await charge('after');
    for (const key of ['before 0', 'during', 'killed', 'after']) {
      expect(await wallet.authorize(callWithKey(world, key))).toMatchObject({ kind: 'duplicate' });
    }
    expect(await wallet.authorize(callWithKey(world, 'held'))).toMatchObject({
      kind: 'in_progress',
    });
    await wallet.capture(captureRequestOf(heldRequest.requestId, 2));
    await wallet.close();
    expect(await keysOf(db)).toEqual([...chargedKeys, 'held'].toSorted());
    await sealJournal(world, db);
    await expectAuditsPass(world, db);
  },
);

/** Whether a session executes the migration with this number, and waits. */
async function isWaiting(db: Db, number: string): Promise<boolean> {
  const migration = (await readMigrations()).find(({ name }) => name.startsWith(number));
  const { rows } = await sql<{ isWaiting: boolean }>`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE application_name = 'radar migrate' AND datname = current_database()
        AND (wait_event_type = 'Lock' OR wait_event = 'PgSleep')
        AND starts_with(${migration?.text ?? ''}, left(query, 500))) AS "isWaiting"`.execute(
    sqlOf(db),
  );
  return rows[0]?.isWaiting ?? false;
}

/** The idempotency keys of the stored calls. */
async function keysOf(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT c.idempotency_key AS key FROM calls c JOIN idempotency_keys k
      USING (idempotency_key, account_id, livemode, request_id)`.execute(sqlOf(db));
  return rows.map(({ key }) => key).toSorted();
}
