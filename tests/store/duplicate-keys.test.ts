// Migrations that convert duplicate keys to one row per item, while a program of the former release
// writes keys in its own form.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { migrate, readMigrations } from '../../src/store/platform/migrate.ts';
import { findGroupedItems, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { openDatabaseBefore, recordMigration } from '../support/former-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const startTime = new Date('2026-08-01T00:00:00Z');
const signature = Buffer.alloc(256, 7);
const bandValue = (index: number) => `${index.toString(16)}f${String(index).padStart(15, '0')}`;

async function addItem(db: Db, id: string): Promise<void> {
  await sql`INSERT INTO sources (id, name, owner, kind, tier, participation, language, url,
      interval_minutes, settings, private_hosts, status, created_at, updated_at)
    VALUES ('s', 's', 's', 'feed', 'T1', 'editorial', 'en', 'http://s.example/', 60, '{}', '{}',
      'active', ${startTime}, ${startTime}) ON CONFLICT DO NOTHING`.execute(sqlOf(db));
  await sql`INSERT INTO items (id, source_id, entry_key, url, canonical_url, title, summary,
      content, discovered_at, updated_at, content_hash, revision, is_backfill)
    VALUES (${id}, 's', ${id}, 'http://a.example/', ${`http://a.example/${id}`}, 't', '', '',
      ${startTime}, ${startTime}, '', 1, false)`.execute(sqlOf(db));
}

/** The statements of the former release. */
async function saveFormerKeys(db: Db, id: string, title: string): Promise<void> {
  await sql`DELETE FROM reading_group_keys WHERE item_id = ${id}`.execute(sqlOf(db));
  const bodies = Array.from({ length: 16 }, (_, index) => ['body', bandValue(index)] as const);
  const keys = [['url', `http://a.example/${id}`] as const, ['title', title] as const, ...bodies];
  const values = keys.map(
    ([kind, key]) =>
      sql`(${id}, ${kind}, ${key}, ${startTime}, ${kind === 'body' ? signature : null})`,
  );
  await sql`INSERT INTO reading_group_keys (item_id, kind, key, at, signature)
    VALUES ${sql.join(values)}`.execute(sqlOf(db));
}

async function readFormerKeys(db: Db, id: string) {
  const { rows } = await sql<{ kind: string; key: string; signature: Buffer | null }>`
    SELECT kind, key, signature FROM reading_group_keys WHERE item_id = ${id}
    ORDER BY kind, key`.execute(sqlOf(db));
  return rows;
}

const readTitleKeys = async (db: Db) =>
  (
    await sql<{ title_key: string; bands: number }>`
      SELECT title_key, cardinality(bands) AS bands FROM duplicate_keys
      ORDER BY item_id`.execute(sqlOf(db))
  ).rows;

/** A database of the former release, which has several rows of keys per item, with three items. */
async function openFormerItems(): Promise<Db> {
  const { db } = await openDatabaseBefore('0190');
  for (const id of ['i1', 'i2', 'i3']) await addItem(db, id);
  return db;
}

test('a conversion keeps stored keys and copies keys that the former release writes', async () => {
  const db = await openFormerItems();
  await saveFormerKeys(db, 'i1', 'first');
  const storedKeys = await readFormerKeys(db, 'i1');
  await migrate(world, db);
  expect(await readTitleKeys(db)).toEqual([{ title_key: 'first', bands: 16 }]);
  expect(await readFormerKeys(db, 'i1')).toEqual(storedKeys);

  await saveFormerKeys(db, 'i2', 'second');
  await saveFormerKeys(db, 'i1', 'changed');
  expect(await readTitleKeys(db)).toEqual([
    { title_key: 'changed', bands: 16 },
    { title_key: 'second', bands: 16 },
  ]);
  await sql`INSERT INTO reading_groups (id, first_appeared_at)
    VALUES ('g', ${startTime})`.execute(sqlOf(db));
  await joinGroups(db, new Map([['i2', 'g']]));
  const band = BigInt.asIntN(64, BigInt(`0x${bandValue(3).slice(1)}`)).toString();
  const noKeys = { urls: [], titleKeys: [], bands: [], since: startTime.getTime() };
  for (const search of [
    { ...noKeys, urls: ['http://a.example/i2'] },
    { ...noKeys, titleKeys: ['second'] },
    { ...noKeys, bands: [band] },
  ]) {
    const foundItems = await findGroupedItems(db, search);
    expect(foundItems.map(({ itemId, groupId }) => [itemId, groupId])).toEqual([['i2', 'g']]);
  }
});

test('keys that change while existing keys are copied are not lost', async () => {
  const db = await openFormerItems();
  await saveFormerKeys(db, 'i1', 'first');
  await saveFormerKeys(db, 'i2', 'second');
  const copyMigrations = (await readMigrations()).filter(({ name }) => /^019[012]/.test(name));
  for (const migration of copyMigrations) {
    const statements = migration.text.replaceAll('INDEX CONCURRENTLY', 'INDEX');
    await sql.raw(statements).execute(sqlOf(db));
    await recordMigration(db, migration);
  }
  await saveFormerKeys(db, 'i1', 'changed');
  await sql`DELETE FROM reading_group_keys WHERE item_id = 'i2'`.execute(sqlOf(db));
  await saveFormerKeys(db, 'i3', 'third');
  await migrate(world, db);
  expect((await readTitleKeys(db)).map(({ title_key }) => title_key)).toEqual(['changed', 'third']);
});
