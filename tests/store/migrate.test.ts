// Migrations: each applied once, whoever starts; a newer or an altered database is refused.
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { closeDb, openDb, sqlOf } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import { patience } from '../support/connect-timeout.ts';
import { onDatabase, runOn } from '../support/database-server.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const server = inject('databaseServer');
let count = 0;

async function emptyDatabase() {
  count += 1;
  const name = `radar_migrate_${process.pid}_${count}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  const db = openDb(world.log, onDatabase(server, name), { applicationName: 'test', ...patience });
  afterAll(async () => {
    await closeDb(db);
    await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return db;
}

test('two starters at once apply every migration exactly once between them', async () => {
  const db = await emptyDatabase();
  const [one, two] = await Promise.all([migrate(world, db), migrate(world, db)]);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(
    sqlOf(db),
  );
  expect([...one, ...two].sort()).toEqual(rows.map((row) => row.name));
  expect(rows.length).toBeGreaterThan(0);
  expect(await migrate(world, db)).toEqual([]);
});

test('a database of a newer version is refused before anything is touched', async () => {
  const db = await emptyDatabase();
  await migrate(world, db);
  await sql`INSERT INTO migrations VALUES ('9999_future.sql', 'x', '2030-01-01T00:00:00Z')`.execute(
    sqlOf(db),
  );
  await expect(migrate(world, db)).rejects.toThrow(/made by a newer one/);
});

test('an applied migration that was edited is named', async () => {
  const db = await emptyDatabase();
  await migrate(world, db);
  await sql`UPDATE migrations SET hash = 'x' WHERE name = '0001_radar.sql'`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow(/0001_radar.sql was changed/);
});
