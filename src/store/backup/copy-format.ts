// Settings and functions for rows in PostgreSQL's COPY text format. The fixed settings make the
// text equal on every server.
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import type { End, Manifest } from './archive.ts';

export type ArchiveContents = {
  readonly manifest: Manifest;
  readonly end: End;
  /** Compressed bytes of the archive. */
  readonly bytes: number;
};

/** The settings are valid for the rest of the transaction. */
export async function setCopySettings(tx: Db): Promise<void> {
  await sql`SELECT set_config('client_encoding', 'UTF8', true),
    set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
    set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
    set_config('bytea_output', 'hex', true), set_config('row_security', 'off', true)`.execute(
    sqlOf(tx),
  );
}

/** A quoted column name, or a quoted table name with its schema. */
export const quoteName = (name: string): string =>
  name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.');

/** In COPY's text format each line is one row, because newlines in values are escaped. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let index = chunk.indexOf(10); index !== -1; index = chunk.indexOf(10, index + 1))
    lines += 1;
  return lines;
}
