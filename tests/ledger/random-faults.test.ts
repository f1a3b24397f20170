// Four processes charge the same wallets on one database. They are killed, stopped and disconnected
// at random, and the database server is killed as well. Afterwards every invariant and every
// acknowledged operation is checked.
//
// Full size: npm run proof. RADAR_PARTS=3-7 runs the parts 3 to 7.
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { proofParts, proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { canKillServers, openKillableServer } from './killable-server.ts';
import { checkBalances, runWithFaults } from './random-faults.ts';

const seed = proofSeed();
const faultyTarget = await openTestDatabase();

/** At full size a million operations, in parts with their own databases and seeds. */
const operations = proofSize(20_000, 50_000);
const parts = proofParts(proofSize(1, 20));
const faultEveryMs = proofSize(400, 2_000);
const otherDatabases = canKillServers ? [] : await Promise.all(parts.map(() => openTestDatabase()));

test.each(parts)(
  `the ledger keeps its invariants under faults (RADAR_SEED=${seed}, part %i)`,
  { timeout: 2 * HOUR_MS },
  async (part) => {
    const otherDatabase = otherDatabases[parts.indexOf(part)];
    const server = otherDatabase === undefined ? await openKillableServer() : null;
    onTestFinished(async () => server?.close());
    const target = server ?? requirePresent(otherDatabase, 'a database of the part');
    const plan = { seed: seed + part - 1, operations, faultEveryMs, processes: 4 };
    const acknowledged = await runWithFaults(target, plan);
    const problems = await checkBalances(target.db, acknowledged);
    process.stdout.write(
      `part ${part}: ${acknowledged.operations} operations, ${acknowledged.faults} faults, ` +
        `${acknowledged.serverFaults} of them on the database, ` +
        `${acknowledged.capturedCalls.size} captures and ` +
        `${acknowledged.payments.size} top-ups acknowledged, ` +
        `${problems.length} problems\n`,
    );
    expect(problems).toEqual([]);
    expect(acknowledged.faults).toBeGreaterThan(3);
    if (server !== null) expect(acknowledged.serverFaults).toBeGreaterThan(0);
    expect(acknowledged.capturedCalls.size).toBeGreaterThan(operations / 20);
    expect(acknowledged.payments.size).toBeGreaterThan(operations / 100);
  },
);

test('the checker detects a hold that is resolved twice', { timeout: 120_000 }, async () => {
  const { rows } = await sql<{ text: string }>`
    SELECT pg_get_functiondef('ledger_resolve'::regproc) AS text`.execute(sqlOf(faultyTarget.db));
  const functionText = rows[0]?.text ?? '';
  const faultyText = functionText.replace(
    "IF r.state NOT IN ('held', 'unknown') THEN",
    'IF false THEN',
  );
  expect(faultyText).not.toBe(functionText);
  await sql.raw(faultyText).execute(sqlOf(faultyTarget.db));
  const plan = { seed, operations: 1_500, faultEveryMs: 300, processes: 2 };
  const acknowledged = await runWithFaults(faultyTarget, plan);
  const problems = await checkBalances(faultyTarget.db, acknowledged);
  expect(problems.some((problem) => problem.startsWith('resolved_once'))).toBe(true);
});
