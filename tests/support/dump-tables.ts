// Writes all rows of a database as one text, in which a test searches for secrets.
import pg from 'pg';
import type { Db } from '../../src/kernel/ports/db.ts';
import { connectionOf } from '../../src/store/platform/db.ts';

/** All rows of all tables in COPY format. Bytes also appear as text. */
export async function dumpTables(db: Db): Promise<string> {
  const client = new pg.Client({ ...connectionOf(db) });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const texts = [];
    for (const { name } of rows) {
      const table = await client.query(`SELECT * FROM ${pg.escapeIdentifier(name)}`);
      texts.push(...table.rows.map((row) => Object.values(row).map(cellText).join('\t')));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

function cellText(value: unknown): string {
  if (!Buffer.isBuffer(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return `${value.toString('latin1')} ${value.toString('hex')} ${value.toString('base64')}`;
}
