// Creates a new database from the baseline in one transaction. The baseline has the tables and
// functions that result from the first migrations, each defined once. An existing
// database applies the migrations instead. A test compares both results.
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from './db.ts';

const folder = new URL('../../../migrations/baseline/', import.meta.url);

/** The last migration whose result is in the baseline. */
const LAST_MIGRATION = '0213_bounds_of_resolved_calls.sql';

/** Whether the result of the migration is in the baseline. */
export const isInBaseline = ({ name }: { readonly name: string }): boolean =>
  name <= LAST_MIGRATION;

/** Makes the tables in a database that has only the empty table `migrations`. */
export async function createBaseline(tx: Db): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  // The check of function bodies would take a third of the time. It is not needed: a test compares
  // these functions with the functions of the migrations, which PostgreSQL checks.
  await sql`SET LOCAL check_function_bodies = off`.execute(sqlOf(tx));
  for (const name of names) {
    await sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(sqlOf(tx));
  }
  await sql`SET LOCAL check_function_bodies = on`.execute(sqlOf(tx));
}
