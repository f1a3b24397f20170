// Lists deleted accounts outside of the database: in `deleted-accounts.ndjson` in the data folder,
// and beside each backup. A restore of an older backup deletes these accounts again. A line
// contains the id of an account and the time, and nothing personal.
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { listDeletedAccounts } from '../gateway/accounts.ts';

export const DELETED_ACCOUNTS_FILE = 'deleted-accounts.ndjson';

const lineSchema = z.strictObject({
  account: z.string().min(1).max(200),
  deletedAt: z.iso.datetime(),
});

export type DeletedAccount = { readonly id: string; readonly deletedAt: number };

/** Adds the deleted accounts that the file of this folder lacks. Never removes a line. */
export async function recordDeletedAccounts(db: Db, folder: string): Promise<void> {
  const deleted = await listDeletedAccounts(db);
  if (deleted.length === 0) return;
  const path = join(folder, DELETED_ACCOUNTS_FILE);
  const recorded = (await readDeletedAccounts(path)) ?? [];
  const ids = new Set(recorded.map(({ id }) => id));
  const missing = deleted.filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return;
  const lines = [...recorded, ...missing].map(({ id, deletedAt }) =>
    JSON.stringify({ account: id, deletedAt: new Date(deletedAt).toISOString() }),
  );
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${lines.join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Null: there is no such file. Throws a Fault that names every line that cannot be parsed. */
export async function readDeletedAccounts(path: string): Promise<readonly DeletedAccount[] | null> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw new Fault('invalid_request', `${path} cannot be read: ${messageOf(error)}`);
  });
  if (text === null) return null;
  const accounts: DeletedAccount[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = lineSchema.safeParse(parse(line));
    if (value.success) {
      const { account: id, deletedAt } = value.data;
      accounts.push({ id, deletedAt: Date.parse(deletedAt) });
    } else problems.push(`line ${index + 1}`);
  }
  if (problems.length > 0) {
    throw new Fault(
      'invalid_request',
      `${path} is not a list of deleted accounts: ${problems.join(', ')}. A line is ` +
        '{"account":"<id>","deletedAt":"2026-11-22T08:00:00.000Z"}.',
    );
  }
  return accounts;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
