// Everything that a database holds as one text, to look for what must not be there.
import pg from 'pg';
import type { Db } from '../../src/kernel/ports/db.ts';
import { connectionOf } from '../../src/store/platform/db.ts';

/** Every row of every table, as COPY writes it, with bytes also as the text that they may be. */
export async function dumpTables(db: Db): Promise<string> {
  const client = new pg.Client({ ...connectionOf(db) });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    const texts = [];
    for (const { name } of rows) {
      const table = await client.query(`SELECT * FROM ${pg.escapeIdentifier(name)}`);
      texts.push(...table.rows.map((row) => Object.values(row).map(shown).join('\t')));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

function shown(value: unknown): string {
  if (!Buffer.isBuffer(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return `${value.toString('latin1')} ${value.toString('hex')} ${value.toString('base64')}`;
}
