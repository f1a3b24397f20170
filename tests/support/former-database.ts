// A database of the release before the ledger's tables were partitioned by month.
import { sql } from 'kysely';
import type { AuthorizeRequest } from '../../src/gateway/wallet/ledger/wallet.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { createEmptySchema, readMigrations } from '../../src/store/platform/migrate.ts';
import { authorizeRequestFor } from '../ledger/wallet-values.ts';
import { openEmptyTestDatabase } from './test-database.ts';
import { TEST_NOW } from './test-world.ts';

export async function openFormerDatabase() {
  const { db, connection } = await openEmptyTestDatabase();
  const migrations = await readMigrations();
  const formerMigrations = migrations.filter(({ name }) => name < '0182');
  const recordMigration = (tx: Db, { name, hash }: (typeof migrations)[number]) =>
    sql`
      INSERT INTO migrations (name, hash, applied_at)
      VALUES (${name}, ${hash}, now())`.execute(sqlOf(tx));
  await inTransaction(db, (tx) => createEmptySchema(tx, formerMigrations, TEST_NOW));
  for (const migration of formerMigrations) await recordMigration(db, migration);
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
