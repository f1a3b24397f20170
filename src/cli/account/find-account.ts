// Finds the account that a command names by id or by e-mail address.
import { type Account, findAccount } from '../../gateway/accounts/account.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';

/** Throws a Fault for an unknown or deleted account. */
export async function requireExistingAccount(db: Db, idOrEmail: string): Promise<Account> {
  const account = await requireAccount(db, idOrEmail);
  if (account.status !== 'deleted') return account;
  const message = `The account ${account.id} was deleted. Only its ledger entries remain.`;
  throw new Fault('not_found', message);
}

/** Finds a deleted account too, because its calls can still be read and refunded. */
export async function requireAccount(db: Db, idOrEmail: string): Promise<Account> {
  const account = await findAccount(db, idOrEmail);
  if (account !== null) return account;
  throw new Fault('not_found', `There is no account ${idOrEmail}. See: radar account list`);
}
