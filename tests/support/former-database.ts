// Creates databases of former releases. A worker creates each of them once; each test gets a copy.
import { sql } from 'kysely';
import type { AuthorizeRequest } from '../../src/gateway/wallet/ledger/wallet.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { createEmptySchema, readMigrations } from '../../src/store/platform/migrate.ts';
import { authorizeRequestFor } from '../ledger/wallet-values.ts';
import {
  EMPTY_TEMPLATE,
  makeTemplate,
  openTestDatabase,
  type TestDatabase,
} from './test-database.ts';
import { TEST_NOW } from './test-world.ts';

type Migration = Awaited<ReturnType<typeof readMigrations>>[number];

/** The templates, by the first migration that they lack. */
const templates = new Map<string, Promise<string>>();

/** A database with the migrations whose names precede `firstMissing`. */
export async function openDatabaseBefore(firstMissing: string): Promise<TestDatabase> {
  const template = templates.get(firstMissing) ?? makeFormerTemplate(firstMissing);
  templates.set(firstMissing, template);
  return openTestDatabase(await template);
}

async function makeFormerTemplate(firstMissing: string): Promise<string> {
  const migrations = (await readMigrations()).filter(({ name }) => name < firstMissing);
  return makeTemplate(async (db) => {
    await inTransaction(db, (tx) => createEmptySchema(tx, migrations, TEST_NOW));
    for (const migration of migrations) await recordMigration(db, migration);
  }, EMPTY_TEMPLATE);
}

export async function recordMigration(tx: Db, { name, hash }: Migration): Promise<void> {
  await sql`
    INSERT INTO migrations (name, hash, applied_at)
    VALUES (${name}, ${hash}, now())`.execute(sqlOf(tx));
}

/** A database of the release before the ledger's tables were partitioned by month. */
export async function openFormerDatabase() {
  const { db, connection } = await openDatabaseBefore('0182');
  const migrations = await readMigrations();
  /** Applies the migration with this number. */
  const applyMigration = async (tx: Db, number: string) => {
    const migration = requirePresent(
      migrations.find(({ name }) => name.startsWith(number)),
      number,
    );
    await recordMigration(tx, migration);
    await sql.raw(migration.text).execute(sqlOf(tx));
  };
  return { db, connection, applyMigration };
}

/** A call of two units by the account `acct_one`, with an idempotency key. */
export const callWithKey = (world: World, key: string): AuthorizeRequest =>
  authorizeRequestFor(world, 2, {
    accountId: 'acct_one',
    livemode: true,
    idempotency: { key, fingerprint: `${key}-f` },
  });
