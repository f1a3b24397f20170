// The schedule of the retention policy: once a day, and an hour after a failure.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { openDataMaintenance } from '../../src/retention/maintain-data.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world, clock, logged } = testWorld(5);
const { db } = await openTestDatabase();
const policy = {
  calls: null,
  entries: null,
  readings: null,
  publication_log: null,
  selected_ledger: null,
};

test('applies a policy daily; reports a failure and retries it after an hour', async () => {
  // A detached month of the ledger cannot be exported without a place for its files.
  await sql`INSERT INTO retired_partitions
    (table_name, name, until, detached_at, rows, columns, files, bytes)
    VALUES ('calls', 'calls_2026_05', '2026-06-01', '2026-08-22', 0, '{}', 0, 0)`.execute(
    sqlOf(db),
  );
  const maintenance = openDataMaintenance(world, db, { policy, files: null });
  expect(await maintenance.isDue()).toBe(true);
  await maintenance.run();
  expect(logged.filter((line) => line.includes('the retention policy failed'))).toEqual([
    expect.stringContaining('retention.files is needed to export calls_2026_05.'),
  ]);
  clock.advance(HOUR_MS - 1);
  expect(await maintenance.isDue()).toBe(false);
  clock.advance(1);
  expect(await maintenance.isDue()).toBe(true);

  await sql`DELETE FROM retired_partitions`.execute(sqlOf(db));
  await maintenance.run();
  clock.advance(DAY_MS - 1);
  expect(await maintenance.isDue()).toBe(false);
  clock.advance(1);
  expect(await maintenance.isDue()).toBe(true);
});
